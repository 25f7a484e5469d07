/** The episode on the screen, made for recording: captions, chapters and no controls. */

import { computed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { KnownPlayer } from '../../../machines/journal/projection.ts';
import { capitalize } from '../../../machines/text.ts';
import { describeEnding } from '../../text.ts';
import { Chip, Plays } from '../frame/chip.tsx';
import { set } from '../frame/fieldEvents.ts';
import { ItemView, Thought } from './items.tsx';
import { isHeld, shotIndex, shownSeconds } from './state/episode.ts';
import { stepBy } from './state/navigation.ts';
import { lens, moment, step, story, whyNotes } from './state/session.ts';
import { cutEpisode, type EpisodeShot } from './story/episode.ts';
import { describeTime } from './story/sentences.ts';
import { readTitle } from './story/story.ts';

const episode = computed(() => {
  const seconds = shownSeconds.value;
  if (seconds === null) return null;
  return cutEpisode(story.value, seconds, lens.value.type === 'glass' ? whyNotes.value : null);
});

export function Episode() {
  const cut = episode.value;
  const index = Math.min(shotIndex.value, (cut?.shots.length ?? 1) - 1);
  const shot = cut?.shots[index];
  const isLast = index === (cut?.shots.length ?? 0) - 1;
  useEffect(() => {
    if (shot === undefined) return;
    stepBy(shot.step - step.peek());
    if (isHeld.value || isLast) return;
    const timer = setTimeout(set(shotIndex, index + 1), shot.ms);
    return () => clearTimeout(timer);
  }, [shot, isHeld.value]);
  if (cut === null || shot === undefined) return null;
  const chapter = cut.chapters.findLast(({ from }) => from <= index);
  return (
    <main
      class="episode"
      data-shot={index}
      data-moment={moment.value?.name}
      data-over={isLast || undefined}
      data-held={isHeld.value || undefined}
      aria-label={`Episode of ${cut.seconds} seconds`}
    >
      <div class="screen">
        <header>
          <h1>
            <span class="league">The Glass Box League</span>
            {readTitle(story.value.moments[0]?.line)}
          </h1>
          <p class="chapter">
            <b>{chapter?.name}</b>
            <span>{describeShotTime(chapter?.name ?? '')}</span>
          </p>
        </header>
        <EpisodeCast speaker={shot.speaker} />
        <section class="shot" key={index} data-kind={shot.item.type} aria-live="polite">
          <ShotView shot={shot} />
        </section>
        <EpisodeProgress />
      </div>
    </main>
  );
}

function describeShotTime(chapter: string): string {
  const time = moment.value === undefined ? '' : describeTime(moment.value);
  return time === chapter ? '' : time.replace(`${chapter}, `, '');
}

function EpisodeCast({ speaker }: Pick<EpisodeShot, 'speaker'>) {
  return (
    <ul class="cast-strip" aria-label="Players">
      {(moment.value?.players ?? []).map(({ seat, fate }) => (
        <li
          key={seat}
          data-fate={fate}
          data-speaks={seat === speaker || undefined}
          title={capitalize(seat)}
        >
          <Chip seat={seat} />
        </li>
      ))}
    </ul>
  );
}

function ShotView({ shot }: { readonly shot: EpisodeShot }) {
  const { item, caption, thought, speaker } = shot;
  const ending = moment.value?.ending;
  if (item.type === 'opening' || item.type === 'closing')
    return (
      <>
        {ending == null ? null : <p class="event">{describeEnding(ending)}</p>}
        <ItemView item={item} />
      </>
    );
  const player = moment.value?.players.find(({ seat }) => seat === speaker);
  return (
    <>
      {player === undefined ? null : <Speaker player={player} />}
      <p class={player === undefined ? 'event' : 'caption'}>{caption}</p>
      <Thought text={thought} />
    </>
  );
}

function Speaker({ player }: { readonly player: KnownPlayer }) {
  const { seat, role, model, persona } = player;
  return (
    <p class="speaker">
      <Chip seat={seat} />
      <b>{capitalize(seat)}</b>
      <Plays model={model} otherwise={persona} />
      {role === 'impostor' ? <span class="role">impostor</span> : null}
    </p>
  );
}

function EpisodeProgress() {
  const cut = episode.value;
  if (cut === null) return null;
  return (
    <ol class="chapters" aria-label="Chapters">
      {cut.chapters.map(({ name, from }, at) => {
        const to = cut.chapters[at + 1]?.from ?? cut.shots.length;
        const sum = (until: number) =>
          cut.shots.slice(from, until).reduce((all, { ms }) => all + ms, 0);
        const done = Math.max(0, Math.min(to, shotIndex.value + 1) - from);
        return (
          <li key={from} style={`flex-grow: ${sum(to)}`} title={name}>
            <span style={`width: ${((sum(from + done) / sum(to)) * 100).toFixed(1)}%`} />
          </li>
        );
      })}
    </ol>
  );
}
