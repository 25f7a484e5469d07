import {
  type KnownPlayer,
  livingIn,
  type PlayerFate,
} from '../../../machines/journal/projection.ts';
import { longestSilence } from '../../../machines/rules/weights.ts';
import { capitalize } from '../../../machines/text.ts';
import type { Ballot, Colour } from '../../../machines/types.ts';
import { describeMind, joinParts, nameMind } from '../../identity.ts';
import { badgeOf, candidateName } from '../../text.ts';
import { Chip, Plays } from '../frame/chip.tsx';
import { memo } from '../frame/panel.tsx';
import {
  findFailure,
  getTableSeconds,
  getThinkingSeconds,
  getWaitedFor,
  writing,
} from './state/live.ts';
import { toggleFocus } from './state/navigation.ts';
import { focus, moment, story } from './state/session.ts';
import { isBeforeFloor } from './state/stages.ts';
import { readWeights } from './story/bids.ts';
import type { Moment } from './story/story.ts';

export const Player = memo(({ seat }: { readonly seat: Colour }) => (
  <span class="player">
    <Chip seat={seat} />
    <b>{capitalize(seat)}</b>
  </span>
));

export function Candidate({ ballot }: { readonly ballot: Ballot }) {
  if (ballot !== 'skip') return <Player seat={ballot} />;
  return (
    <span class="player">
      <span class="chip" data-seat="skip" aria-hidden="true">
        —
      </span>
      <b>{candidateName(ballot)}</b>
    </span>
  );
}

const FATES: Readonly<Record<PlayerFate, string>> = {
  living: '',
  killed: '✕ killed',
  ejected: '⏏ ejected',
  left: '⊘ left',
  dead: '✕ dead',
};

export function SeatRow() {
  const now = moment.value;
  if (now === undefined) return null;
  return (
    <section aria-label="Players">
      <ul class="seats">
        {now.players.map((member) => (
          <li key={member.seat}>
            <SeatButton member={member} now={now} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SeatButton({ member, now }: { readonly member: KnownPlayer; readonly now: Moment }) {
  const { seat, fate, model } = member;
  const mind = describeMind(member);
  const { meeting: sitting } = now;
  const isOn = sitting?.phase === 'discussion' || sitting?.phase === 'voting';
  const isTalking = isOn && sitting?.tick?.floor === seat && !isBeforeFloor.value;
  const hasVoted = isOn && seat in sitting.locked;
  return (
    <button
      type="button"
      class="seat"
      data-seat={seat}
      data-fate={fate}
      data-model={model === '' ? undefined : true}
      data-floor={isTalking || undefined}
      aria-pressed={focus.value === seat}
      title={`Look at ${capitalize(seat)}${mind === '' ? '' : `: ${mind}`}`}
      onClick={() => toggleFocus(seat)}
    >
      <SeatFace member={member} />
      <span class="flags">
        {isTalking ? <span title="Has the floor">▸ floor</span> : null}
        {hasVoted ? <VoteFlag ballot={sitting.locked[seat] ?? null} /> : null}
        {import.meta.env.MODE === 'site' ? null : <Thinking seat={seat} />}
      </span>
      {fate === 'living' ? <SilenceMeter member={member} now={now} /> : null}
    </button>
  );
}

const SeatFace = memo(({ member }: { readonly member: KnownPlayer }) => {
  const { seat, role, persona, fate, model } = member;
  const isKnown = member.mind !== null;
  return (
    <>
      <Chip seat={seat} />
      <span class="name">{capitalize(seat)}</span>
      <Plays
        model={model}
        otherwise={isKnown ? joinParts(nameMind(member), persona) : ''}
        title={describeMind(member)}
      />
      <span class="role" data-role={role ?? undefined} title={isKnown ? persona : undefined}>
        {fate === 'living' ? describeRole(member) : FATES[fate]}
      </span>
    </>
  );
});

function describeRole({ role, persona, mind, model }: KnownPlayer): string {
  if (mind === null) return role ?? persona;
  // Beside a persona there is room for a short word.
  if (model === '') return role ?? '';
  return joinParts(role === 'crewmate' ? 'crew' : (role ?? ''), persona);
}

function VoteFlag({ ballot }: { readonly ballot: Ballot | null }) {
  if (ballot === null) return <span title="Has voted">✓ voted</span>;
  return (
    <span class="ballot" title={`Votes for ${candidateName(ballot)}`}>
      ✓ <span class="does">votes </span>
      {ballot === 'skip' ? '—' : badgeOf(ballot).code}
    </span>
  );
}

/** How a meter is filled up to a share: painted, so that nothing is laid out. */
export function formatMeter(share: number): string {
  return `background-size: ${(share * 100).toFixed(1)}% 100%`;
}

function SilenceMeter({ member: { seat }, now }: Readonly<{ member: KnownPlayer; now: Moment }>) {
  const { meeting: sitting, players: crew } = now;
  if (sitting === null || sitting.isOver || sitting.tick === null) return null;
  const score = sitting.tick.scores?.find((each) => each.seat === seat);
  const { moments } = story.value;
  const called = moments.find(({ meeting }) => meeting?.number === sitting.number);
  const living = livingIn(called?.players ?? crew).length;
  const weights = readWeights(moments[0]?.line, living);
  if (score === undefined || weights === null) return null;
  const bound = longestSilence(weights, living);
  const silent = sitting.tick.floor === seat ? 0 : (score.silentTicks ?? 0) + 1;
  const share = Math.min(1, silent / bound);
  const words = `silent for ${silent} of at most ${Number.isFinite(bound) ? bound : 'any number of'} ticks`;
  return (
    <span class="silence" role="img" aria-label={words} title={capitalize(words)}>
      <span class="meter" style={formatMeter(share)} />
      {`${silent}/${Number.isFinite(bound) ? bound : '∞'}`}
    </span>
  );
}

const SOON = 1;

function Thinking({ seat }: { readonly seat: Colour }) {
  const seconds = getThinkingSeconds(seat);
  const isWriting = seconds !== null && writing.value.some((words) => words.seat === seat);
  const failure = findFailure(seat);
  return (
    <>
      {failure === '' ? null : (
        <span class="failed" title={`A request to the model failed: ${failure}`}>
          ✕ {failure.replace(/^.*\//, '')}
        </span>
      )}
      {isWriting ? (
        <span class="thinking" title="The model writes; its words are in the panels">
          writing…
        </span>
      ) : null}
      {isWriting || seconds === null || seconds < SOON ? null : (
        <span class="thinking" title="Is being waited for">
          thinking {seconds} s
        </span>
      )}
    </>
  );
}

export function WritingNow() {
  if (import.meta.env.MODE === 'site' || writing.value.length === 0) return null;
  return (
    <ul class="writing" aria-label="What is being written">
      {writing.value.map(({ seat, thought, message }) => (
        <li key={seat} data-seat={seat}>
          <p class="who">
            <Player seat={seat} />
            <span class="thinking">
              {getThinkingSeconds(seat) === null ? 'has answered' : 'writing…'}
            </span>
          </p>
          {thought === '' ? null : <p class="thought">{thought}</p>}
          {message === '' ? null : <p class="says">“{message}</p>}
        </li>
      ))}
    </ul>
  );
}

export function TableWaits() {
  const waited = getWaitedFor();
  const seconds = getTableSeconds() ?? (waited === null ? null : getThinkingSeconds(waited));
  if (seconds === null || seconds < SOON) return null;
  const who = waited === null ? 'the table thinks' : `Waiting for ${capitalize(waited)}`;
  return (
    <span class="thinking">
      {who} · {seconds} s
    </span>
  );
}
