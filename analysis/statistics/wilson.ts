/** Wilson's interval: what a share may be that was seen in so many cases, right also where it is near 0 or 1. */

export type Interval = { readonly share: number; readonly least: number; readonly most: number };

/** Standard deviations on either side that hold 95 of 100 cases. */
const Z = 1.959964;

/** The share with its 95 % interval (Wilson 1927); null where there was no case. */
export function wilson(hits: number, cases: number): Interval | null {
  if (cases === 0) return null;
  const share = hits / cases;
  const weight = 1 + Z ** 2 / cases;
  const centre = (share + Z ** 2 / (2 * cases)) / weight;
  const reach = (Z * Math.sqrt((share * (1 - share)) / cases + Z ** 2 / (4 * cases ** 2))) / weight;
  return { share, least: Math.max(0, centre - reach), most: Math.min(1, centre + reach) };
}
