// Numbers for people: three digits and an SI prefix.

const kPrefixes: [number, string][] = [
  [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "\u00b5"],
  [1e-9, "n"], [1e-12, "p"], [1e-15, "f"],
];
const kMinus = "\u2212";
const kSuperscripts: Record<string, string> = Object.fromEntries([..."0123456789"].map((digit, k) =>
  [digit, "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[k]]).concat([[kMinus, "\u207b"]]));

function digits(value: number, count: number): string {
  const text = value.toPrecision(count);
  return (text.includes("e") ? String(Number(text)) : text).replace("-", kMinus);
}

/** 3.42e-5, "J" → "34.2 µJ". What is not known is a dash. */
export function si(value: number, unit: string, count = 3): string {
  if (Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return (value < 0 ? kMinus : "") + "\u221e";
  const gap = unit === "" ? "" : "\u00a0";
  if (value === 0) return "0" + gap + unit;
  const size = Math.abs(value);
  // 999.7 would be shown as 1000 of the smaller unit.
  const rounded = Number(size.toPrecision(count));
  const found = kPrefixes.find(([scale]) => rounded >= scale * 0.99999);
  if (!found || (rounded >= 1e15)) return plainPower(value, count) + gap + unit;
  return digits(value / found[0], count) + "\u00a0" + found[1] + unit;
}

/** A number without unit: plain where it is readable, else as a power of ten. */
export function plain(value: number, count = 3): string {
  if (Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return (value < 0 ? kMinus : "") + "\u221e";
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e-3 && size < 1e6) return digits(value, size >= 1e3 ? Math.max(count, 4) : count);
  return plainPower(value, count);
}

function plainPower(value: number, count: number): string {
  const [mantissa, exponent] = value.toExponential(count - 1).split("e");
  const power = String(Number(exponent)).replace("-", kMinus);
  return `${mantissa.replace("-", kMinus)}\u00b710${[...power].map((c) => kSuperscripts[c] ?? c).join("")}`;
}

/** How many of a thing: "1 contact", "1,024 contacts". */
export function several(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return "\u2013";
  const value = 100 * share;
  return `${value > 0 && value < 0.1 ? "< 0.1" : value.toFixed(value < 10 ? 1 : 0)}\u00a0%`;
}
