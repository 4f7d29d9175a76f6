// Computes the round ticks of an axis from its largest value.

/** Returns 0 and at most `wanted` further ticks up to `most`. Their distance is 1, 2 or 5 times a power of ten, and at least 1. */
export function ticksOf(most: number, wanted: number): readonly number[] {
  if (most <= 0) return [0];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}

/** A number for SVG, with at most one decimal digit. */
export function svgNumber(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A rectangle as part of the data of an SVG path. */
export function rectanglePath(x: number, y: number, width: number, height: number): string {
  return `M${svgNumber(x)} ${svgNumber(y)}h${svgNumber(width)}v${svgNumber(height)}h${svgNumber(-width)}z`;
}
