// Elements from data. Text goes in as text only: what a capture is called is shown, never run.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  fill(element, ...children);
  return element;
}

/** Replaces what is in an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(
    ...children.filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (typeof child === "number" ? String(child) : (child as Node | string))));
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}) {
  return h("button", { type: "button", click: onClick as EventListener, ...attributes }, label);
}

/** A row of choices of which one is pressed. */
export function choice<T extends string>(label: string, options: [T, string][],
    choose: (value: T) => void): { element: HTMLElement; show(value: T): void } {
  const buttons = options.map(([value, text]) => button(text, () => choose(value)));
  const element = h("div", { class: "choice", role: "group", "aria-label": label }, ...buttons);
  return {
    element,
    show(value) {
      options.forEach(([each], k) => buttons[k].setAttribute("aria-pressed", String(each === value)));
    },
  };
}

export function select(label: string, options: [string, string][],
    choose: (value: string) => void): HTMLSelectElement {
  const element = h("select", { "aria-label": label },
    ...options.map(([value, text]) => h("option", { value }, text)));
  element.addEventListener("change", () => choose(element.value));
  return element;
}

/** Hands a label to those who cannot see. */
const live = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
export function announce(text: string): void {
  if (!live.isConnected) document.body.append(live);
  live.textContent = text;
}
