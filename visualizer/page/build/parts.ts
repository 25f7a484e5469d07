/** What building a page and filling it share. */

/** The pages: of a journal, of a journal that people play in, of a league, of a check. */
export const PAGES = ['page', 'play', 'league', 'explorer'] as const;
export type PageName = (typeof PAGES)[number];

/** JSON that can't end the element that it is in. */
export function embedJson(id: string, json: string): string {
  const safe = json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028');
  return `<script type="application/json" id="${id}">${safe}</script>`;
}
