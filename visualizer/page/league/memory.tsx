/** The memory of a persona: what it knows, version by version, and the game that each lesson came from. */
import { GameName } from './games.tsx';
import type { Lesson, Persona, Version } from './league.ts';
import { counted } from './words.ts';

export function Memory({ persona }: { readonly persona: Persona }) {
  const { lessons } = persona;
  if (lessons.length === 0) return <p class="quiet">It has learned nothing yet.</p>;
  return (
    <ol class="lessons">
      {lessons.map((lesson, index) => (
        <li key={index}>
          <q>{lesson.text}</q>
          <From lesson={lesson} />
        </li>
      ))}
    </ol>
  );
}

/** Where a lesson came from: a game of this league by its name, and anything else in the words that were kept. */
function From({ lesson }: { readonly lesson: Lesson }) {
  const { from, slot } = lesson;
  if (slot === null) return <span class="from">from {from}</span>;
  const role = from.slice(from.lastIndexOf(', as ') + 2);
  return (
    <span class="from">
      from <GameName slot={slot} />, {role}
    </span>
  );
}

const WHYS: Readonly<Record<string, string>> = {
  new: 'it began with this',
  reflection: 'it thought about its games',
  taught: 'somebody taught it',
  forgotten: 'it was made to forget',
  rollback: 'it was taken back to what it knew before',
};

export function Versions({ persona }: { readonly persona: Persona }) {
  const { versions, earlier } = persona;
  if (versions.length === 0) return <p class="quiet">There is one version: knowing nothing.</p>;
  return (
    <>
      <ol class="versions">
        {versions.map((version) => (
          <li key={version.version}>
            <Step version={version} />
          </li>
        ))}
      </ol>
      {earlier === 0 ? null : (
        <p class="legend">{counted(earlier, 'older version')} are kept in the store.</p>
      )}
    </>
  );
}

function Step({
  version: { version, why, barrier, added, dropped },
}: {
  readonly version: Version;
}) {
  return (
    <>
      <p class="version">
        <b>Version {version}</b>, {WHYS[why] ?? why}
        {barrier === '' ? null : <span class="quiet"> · after round {roundIn(barrier)}</span>}
      </p>
      <ul class="changes">
        {added.map((lesson, index) => (
          <li key={index} data-change="added">
            <ins>
              <span aria-hidden="true">+</span>
              <span class="vh">learned: </span> {lesson.text}
            </ins>
            <From lesson={lesson} />
          </li>
        ))}
        {dropped.map((text, index) => (
          <li key={index} data-change="dropped">
            <del>
              <span aria-hidden="true">−</span>
              <span class="vh">gave up: </span> {text}
            </del>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A barrier is called "LEAGUE: ROUND", and rounds are counted from 0; people count from 1. */
function roundIn(barrier: string): string {
  const [, league = '', round = ''] = /^(.*): (\d+)$/s.exec(barrier) ?? [];
  return round === '' ? barrier : `${Number(round) + 1} of ${league}`;
}
