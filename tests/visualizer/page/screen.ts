import type { Page } from 'playwright-core';

export type Screen = {
  readonly moment: string;
  readonly leaf: string;
  readonly bids: readonly string[];
  readonly speeches: readonly string[];
  readonly votes: readonly string[];
  readonly tokens: readonly string[];
  readonly blank: readonly string[];
  readonly noted: readonly string[];
};

export function screenOf(page: Page): Promise<Screen> {
  return page.evaluate(() => {
    const all = (selector: string, within: ParentNode = document) => [
      ...within.querySelectorAll(selector),
    ];
    const seat = (node: Element | null) => node?.getAttribute('data-seat') ?? '';
    const chip = (node: Element | null) => (seat(node) === 'skip' ? 'skip' : seat(node));
    const words = (node: Element | null) => node?.textContent ?? '';
    return {
      moment: document.querySelector('[data-moment]')?.getAttribute('data-moment') ?? '',
      leaf: document.querySelector('#chart [data-leaf]')?.getAttribute('data-node') ?? '',
      bids: all('#bids tbody tr')
        .map((row) => {
          const terms = all('.value', row).map((value) => words(value).replace('−', '-'));
          return `${seat(row.querySelector('.chip'))} ${terms.join(' ')} = ${words(row.querySelector('.sum'))}`;
        })
        .toSorted(),
      speeches: all('#feed .item.speech').map((item) => {
        const [speaker, target] = all('.who .chip', item);
        const quote = item.querySelector('blockquote');
        const message = quote?.querySelector('i') === null ? words(quote) : '';
        return `${seat(speaker ?? null)} > ${seat(target ?? null)}: ${message}`;
      }),
      votes: [
        ...all('#votes .locks [data-locked]').map(
          (row) => `${seat(row)} > ${chip(row.querySelector('.ballot .chip'))}`,
        ),
        ...all('#votes .count li').map(
          (row) => `${row.getAttribute('data-candidate')} ${words(row.querySelector('.votes'))}`,
        ),
      ].toSorted(),
      blank: all('#bids tr:has(.out)').map((row) => seat(row.querySelector('.chip'))),
      noted: all('#minds [data-noted]').map(seat),
      tokens: all('.tokens .token')
        .map((token) => {
          const kind = token.getAttribute('data-kind') ?? '';
          return `${seat(token)} ${token.getAttribute('data-place')}${kind === 'living' ? '' : ` ${kind}`}`;
        })
        .toSorted(),
    };
  });
}
