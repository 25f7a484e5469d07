/** The chip of a seat: its colour and its code. It needs no journal, so that every page can show it. */
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { findVendor, shortenModel } from '../../identity.ts';
import { badgeOf } from '../../text.ts';

/** Gives every element with `data-seat` the colours of its seat. */
export function adoptSuits(): void {
  const rules = COLOURS.map((seat) => {
    const { suit, letters } = badgeOf(seat);
    return `[data-seat="${seat}"]{--suit:${suit};--letter:${letters}}`;
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join(''));
  document.adoptedStyleSheets.push(sheet);
}

export function Chip({ seat }: { readonly seat: Colour }) {
  return (
    <span class="chip" data-seat={seat} aria-hidden="true">
      {badgeOf(seat).code}
    </span>
  );
}

type PlaysProps = { readonly model: string; readonly otherwise?: string; readonly title?: string };

export function Plays({ model, otherwise = '', title = model }: PlaysProps) {
  const name = model === '' ? otherwise : shortenModel(model);
  if (name === '') return null;
  const vendor = findVendor(model);
  return (
    <span class="plays" title={title}>
      {vendor === null ? null : (
        <span class="vendor" aria-hidden="true">
          {vendor.mark}
        </span>
      )}
      <span class="mind">{name}</span>
      {vendor === null ? null : <span class="vh"> by {vendor.name}</span>}
    </span>
  );
}
