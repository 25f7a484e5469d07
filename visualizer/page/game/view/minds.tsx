/** The minds: what everybody thinks and has noted, as far as the lens shows it; and the gallery of the dead. */

import type { KnownPads } from '../../../../machines/journal/projection.ts';
import { Hidden, Panel } from '../../frame/panel.tsx';
import { focus, moment, story } from '../state/session.ts';
import { describeAction } from '../story/feed.ts';
import { Player } from './seat.tsx';

export function Minds() {
  const now = moment.value;
  if (now === undefined) return null;
  const { minds, players: crew, ship } = now;
  const shown = crew.filter(
    ({ seat }) => minds.thoughts[seat] || minds.pads[seat] !== undefined || ship?.actions[seat],
  );
  const chosen = shown.filter(({ seat }) => focus.value === null || focus.value === seat);
  return (
    <Panel id="minds" title="Minds" aside={focus.value === null ? 'everybody' : 'one player'}>
      {chosen.length === 0 ? <Hidden>No thoughts or notes are seen here.</Hidden> : null}
      <ul class="minds">
        {chosen.map(({ seat }) => (
          <li key={seat} data-seat={seat} data-noted={minds.noted === seat || undefined}>
            <p class="who">
              <Player seat={seat} />
              {ship?.lastRound != null && ship.actions[seat] !== undefined ? (
                <span class="aim">{describeAction(ship.actions[seat])}</span>
              ) : null}
            </p>
            {minds.thoughts[seat] ? <p class="thought">{minds.thoughts[seat]}</p> : null}
            <PadView pad={minds.pads[seat]} isNew={minds.noted === seat} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PadView({ pad, isNew }: { readonly pad: KnownPads | undefined; readonly isNew: boolean }) {
  if (pad === undefined || (pad.main === '' && pad.meeting === '')) return null;
  return (
    <dl class="pad">
      {pad.main === '' ? null : (
        <>
          <dt>main</dt>
          <dd>
            <Changed text={pad.main} before={isNew ? pad.before : pad.main} />
          </dd>
        </>
      )}
      {pad.meeting === '' ? null : (
        <>
          <dt>meeting</dt>
          <dd>
            <Changed text={pad.meeting} before={isNew ? pad.before : pad.meeting} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Lines that were not there before are marked. */
function Changed({ text, before }: { readonly text: string; readonly before: string }) {
  const old = before.split('\n');
  return (
    <>
      {text
        .split('\n')
        .map((line, index) =>
          old.includes(line) ? (
            <span key={`${index}`}>{line} </span>
          ) : (
            <ins key={`${index}`}>{line} </ins>
          ),
        )}
    </>
  );
}

/** What the ghosts said last; what they said before is at the steps in which they said it. */
const HAUNTS = 8;

export function Gallery() {
  const now = moment.value;
  const said = story.value.gallery.slice(
    Math.max(0, (now?.galleryLength ?? 0) - HAUNTS),
    now?.galleryLength ?? 0,
  );
  if (said.length === 0) return null;
  return (
    <Panel id="ghosts" title="Ghost gallery" aside="the living cannot hear this">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="What ghosts say">
        <ol class="haunts">
          {said.toReversed().map(({ step, speaker, message, thought }) => (
            <li key={step} data-seat={speaker}>
              <Player seat={speaker} /> <q>{message}</q>
              {thought === '' ? null : <span class="thought">{thought}</span>}
            </li>
          ))}
        </ol>
      </section>
    </Panel>
  );
}
