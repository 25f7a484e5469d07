/** The bar on top: what is shown, through which lens, and the few things that concern the whole page. */

import { capitalize } from '../../../text.ts';
import { Head } from '../../frame/head.tsx';
import { Icon } from '../../frame/icon.tsx';
import { HelpTool, LinkTool, ThemeTool, Tool } from '../../frame/tools.tsx';
import { areCallsOpen } from '../state/calls.ts';
import { copyLink, useLens } from '../state/lenses.ts';
import { isPlain } from '../state/plain.ts';
import { damaged, focus, journalName, lens, moment, story, widest } from '../state/session.ts';
import { describeTime } from '../story/sentences.ts';
import { readTitle } from '../story/story.ts';
import { Live } from './live.tsx';

export function Bar() {
  const title = readTitle(story.value.moments[0]?.line) || journalName.value;
  const now = (
    <>
      {moment.value === undefined ? '' : describeTime(moment.value)}
      {damaged.value > 0 ? <span class="damage"> · {damaged.value} damaged lines</span> : null}
    </>
  );
  return (
    <Head title={title} now={now} tools={<Tools />}>
      <Live />
      <Lenses />
    </Head>
  );
}

function Tools() {
  return (
    <>
      <Tool
        label="Model calls"
        does="What minds were asked, answered and cost"
        with="M"
        onClick={() => {
          areCallsOpen.value = true;
        }}
      >
        <Icon name="calls" />
      </Tool>
      <Tool
        label="Plain text"
        does="The whole transcript as plain text"
        with="P"
        onClick={() => {
          isPlain.value = true;
        }}
      >
        <Icon name="text" />
      </Tool>
      <LinkTool label="Copy a link to this moment" with="C" onClick={copyLink} />
      <ThemeTool with="T" />
      <HelpTool />
    </>
  );
}

function Lenses() {
  const seat = lens.value.type === 'player' ? lens.value.seat : focus.value;
  const isFixed = widest.value.type !== 'glass';
  const names = {
    table: 'Table',
    player: seat === null ? 'Player' : capitalize(seat),
    glass: 'Glass',
  } as const;
  return (
    <fieldset class="lenses">
      <legend class="vh">Lens</legend>
      {(['table', 'player', 'glass'] as const).map((type) => (
        <button
          key={type}
          type="button"
          aria-pressed={lens.value.type === type}
          disabled={isFixed && widest.value.type !== type}
          onClick={() => useLens(type)}
          title={LENS_TITLES[type]}
        >
          {names[type]}
        </button>
      ))}
    </fieldset>
  );
}

const LENS_TITLES = {
  table: 'Free of spoilers: what everybody sees (1)',
  player: 'What one player sees: choose the player first (2)',
  glass: 'Everything (3)',
} as const;
