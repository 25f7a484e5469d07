import { Fragment } from 'preact';
import type { CurrentAction, KnownPads } from '../../../../machines/journal/projection.ts';
import { capitalize, pluralize } from '../../../../machines/text.ts';
import type { BySeat, Colour } from '../../../../machines/types.ts';
import { Hidden, memo, Scroll } from '../../frame/panel.tsx';
import { Player, WritingNow } from '../players.tsx';
import { focus, lens, settledMoment, story } from '../state/session.ts';
import { describeAction } from '../story/feed.ts';
import type { Moment } from '../story/story.ts';

function listMinds({ minds, players: crew, ship }: Moment) {
  return crew.filter(
    ({ seat }) =>
      (focus.value === null || focus.value === seat) &&
      (minds.thoughts[seat] || minds.pads[seat] !== undefined || ship?.actions[seat]),
  );
}

export function describeMinds(): string {
  const now = settledMoment.value;
  if (now === undefined) return '';
  const count = (known: BySeat<unknown>, noun: string) =>
    pluralize(listMinds(now).filter(({ seat }) => known[seat]).length, noun);
  return `${count(now.minds.thoughts, 'thought')}, ${count(now.minds.pads, 'notebook')}`;
}

export function Minds() {
  const now = settledMoment.value;
  if (now === undefined) return null;
  const { minds, ship } = now;
  const chosen = listMinds(now);
  return (
    <>
      {now.meeting === null ? <WritingNow /> : null}
      {chosen.length === 0 ? (
        <Hidden>
          {lens.value.type === 'glass'
            ? 'No thoughts or notes here.'
            : 'This lens shows no thoughts or notes here.'}
        </Hidden>
      ) : null}
      <ul class="minds">
        {chosen.map(({ seat }) => (
          <Mind
            key={seat}
            seat={seat}
            action={ship?.lastRound == null ? undefined : ship.actions[seat]}
            thought={minds.thoughts[seat] ?? ''}
            pad={minds.pads[seat]}
            isNew={minds.noted === seat}
          />
        ))}
      </ul>
    </>
  );
}

type MindProps = {
  readonly seat: Colour;
  /** Undefined in meetings and where the lens hides it. */
  readonly action: CurrentAction | undefined;
  readonly thought: string;
  readonly pad: KnownPads | undefined;
  readonly isNew: boolean;
};

const Mind = memo(({ seat, action, thought, pad, isNew }: MindProps) => (
  <li data-seat={seat} data-noted={isNew || undefined}>
    <p class="who">
      <Player seat={seat} />
      {action === undefined ? null : <span class="aim">{describeAction(action)}</span>}
    </p>
    {thought === '' ? null : <p class="thought">{thought}</p>}
    <Scratchpad pad={pad} isNew={isNew} />
  </li>
));

function Scratchpad({ pad, isNew }: Readonly<{ pad: KnownPads | undefined; isNew: boolean }>) {
  const pages = (['main', 'meeting'] as const).filter(
    (page) => pad !== undefined && pad[page] !== '',
  );
  if (pad === undefined || pages.length === 0) return null;
  return (
    <dl class="pad">
      {pages.map((page) => (
        <Fragment key={page}>
          <dt>{page}</dt>
          <dd>
            <ChangedText text={pad[page]} before={isNew ? pad.before : pad[page]} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function ChangedText({ text, before }: { readonly text: string; readonly before: string }) {
  const old = before.split('\n');
  return (
    <>
      {text.split('\n').map((line, index) => {
        const Tag = old.includes(line) ? 'span' : 'ins';
        return <Tag key={`${index}`}>{line} </Tag>;
      })}
    </>
  );
}

export function describeGallery(): string {
  const heard = settledMoment.value?.galleryLength ?? 0;
  const last = story.value.gallery[heard - 1];
  if (last === undefined) return '';
  return `${pluralize(heard, 'message')}, the last from ${capitalize(last.speaker)}`;
}

/** Earlier messages are at the steps of their ghosts' turns. */
const GHOST_MESSAGES_SHOWN = 8;

export function Gallery() {
  const heard = settledMoment.value?.galleryLength ?? 0;
  return (
    <Scroll label="What ghosts say">
      <ol class="haunts">
        {story.value.gallery
          .slice(Math.max(0, heard - GHOST_MESSAGES_SHOWN), heard)
          .toReversed()
          .map(({ step, speaker, message, thought }) => (
            <li key={step} data-seat={speaker}>
              <Player seat={speaker} /> <q>{message}</q>
              {thought === '' ? null : <span class="thought">{thought}</span>}
            </li>
          ))}
      </ol>
    </Scroll>
  );
}
