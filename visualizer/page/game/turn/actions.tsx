/** What can be done on the ship: one click does it. */
import type { Offer, OfferedAction } from '../../../../machines/turnPrompt.ts';
import { capitalize } from '../../../text.ts';
import { answer } from '../state/seat.ts';
import { Aside } from './aside.tsx';

export function Actions({ offer }: { readonly offer: Offer }) {
  const groups = [...Map.groupBy(offer.actions, ({ does }) => does)];
  return (
    <>
      {offer.goesOn === null ? null : (
        <button type="button" class="main" data-first onClick={() => void answer({ action: null })}>
          Go on {offer.goesOn}
        </button>
      )}
      <dl class="actions">
        {groups.map(([does, actions]) => (
          <div key={does} data-does={does}>
            <dt>{does}</dt>
            <dd>
              {actions.map((each) => (
                <Action key={each.what} action={each} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Aside offer={offer} />
    </>
  );
}

function Action({ action: { does, what, hint, action } }: { readonly action: OfferedAction }) {
  return (
    <button
      type="button"
      aria-label={`${does} ${what}`.trim()}
      title={hint === '' ? undefined : hint}
      onClick={() => void answer({ action })}
    >
      {what === '' ? does : capitalize(what)}
    </button>
  );
}
