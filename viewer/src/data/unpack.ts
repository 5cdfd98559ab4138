// The inverse of recorders/report/packed_array.cpp: base64 → inflate → byte planes → numbers.

export interface Packed {
  type: "u8" | "u16" | "u32" | "f24" | "f32" | "unit16";
  count: number;
  data: string;
}

const kWidths = { u8: 1, u16: 2, u32: 4, f24: 3, f32: 4, unit16: 2 };

async function inflate(data: string): Promise<Uint8Array> {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function unpack(packed: Packed): Promise<Float32Array | Uint32Array> {
  const width = kWidths[packed.type];
  const n = packed.count;
  const planes = n === 0 ? new Uint8Array(0) : await inflate(packed.data);
  if (planes.length !== n * width) throw new Error(`array of ${packed.type} is cut short`);
  const words = new Uint32Array(n);
  // The bytes that were dropped are the lowest.
  const shift = packed.type === "f24" ? 8 : 0;
  for (let k = 0; k < width; ++k) {
    const plane = planes.subarray(k * n, (k + 1) * n);
    for (let i = 0; i < n; ++i) words[i] |= plane[i] << (8 * k + shift);
  }
  if (packed.type === "f24" || packed.type === "f32") return new Float32Array(words.buffer);
  if (packed.type !== "unit16") return words;
  return Float32Array.from(words, (word) => ((word << 16) >> 16) / 32767);
}

export async function floats(packed: Packed): Promise<Float32Array> {
  return (await unpack(packed)) as Float32Array;
}

export async function words(packed: Packed): Promise<Uint32Array> {
  return (await unpack(packed)) as Uint32Array;
}
