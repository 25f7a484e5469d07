import { computed } from '@preact/signals';
import type { JudgedClaim } from '../../../analysis/claims/whereabouts.ts';
import type { Players } from '../../../machines/journal/projection.ts';
import { capitalize } from '../../../machines/text.ts';
import { joinParts, nameMind } from '../../identity.ts';
import type { TextPiece } from '../../text.ts';
import { Chip, Plays } from '../frame/chip.tsx';
import { Icon } from '../frame/head.tsx';
import { allCalls } from './calls/calls.ts';
import { sumCalls } from './calls/recordedCalls.ts';
import { Candidate, Player } from './players.tsx';
import { placedTurns } from './stakes.tsx';
import { moment, whyNotes } from './state/session.ts';
import { type CardFact, listFindings } from './story/cards.ts';
import { describeClaim, describeTruth, type FeedItem, type FeedSpeech } from './story/feed.ts';

function Pieces({ pieces }: { readonly pieces: readonly TextPiece[] }) {
  return (
    <>
      {pieces.map((piece, index) =>
        typeof piece === 'string' ? piece : <Player key={`${index}`} seat={piece.seat} />,
      )}
    </>
  );
}

export function ItemView({ item }: { readonly item: FeedItem }) {
  switch (item.type) {
    case 'chapter':
      return (
        <>
          <h3>{item.title}</h3>
          {item.detail.every((piece) => piece === '') ? null : (
            <p class="detail">
              <Pieces pieces={item.detail} />
            </p>
          )}
        </>
      );
    case 'opening':
      return (
        <div class="card">
          <p class="rules">{item.rules}</p>
          <Cast players={item.players} />
          <p class="watch">{item.watch}</p>
        </div>
      );
    case 'closing':
      return (
        <div class="card">
          <dl>
            {[...item.facts, ...findings.value].map(({ name, text }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <Cast players={item.players} />
        </div>
      );
    case 'speech':
      return <SpeechView speech={item} />;
    case 'quiet':
      return <p class="quiet">Nobody asks for the floor.</p>;
    case 'nudge':
      return (
        <p class="system">
          <b>System</b> wrap it up
        </p>
      );
    case 'vote':
      return (
        <>
          <p>
            <Icon name="lock" /> <Player seat={item.seat} />{' '}
            {item.ballot === null ? 'has voted' : 'votes for '}
            {item.ballot === null ? null : <Candidate ballot={item.ballot} />}
          </p>
          {item.thought === '' ? null : <p class="thought">{item.thought}</p>}
        </>
      );
    case 'remark':
      return (
        <p>
          <Pieces pieces={item.words} />
        </p>
      );
    case 'ballot':
      return (
        <p class={item.isVoid ? 'void' : ''}>
          <span class="number">{item.index + 1}</span>
          {item.voter === null ? 'Somebody' : <Player seat={item.voter} />}
          <span class="arrow"> → </span>
          <Candidate ballot={item.ballot} />
          {item.isVoid ? ' (void)' : null}
        </p>
      );
    case 'verdict':
      return <p class="sentence">{item.sentence}</p>;
    default:
      return item satisfies never;
  }
}

function Cast({ players }: { readonly players: Players }) {
  return (
    <ul class="cast">
      {players.map((player) => (
        <li key={player.seat} data-role={player.role ?? undefined}>
          <Player seat={player.seat} />
          <Plays model={player.model} otherwise={nameMind(player)} />
          <small>
            {joinParts(
              player.role ?? '',
              player.persona,
              player.fate === 'living' ? '' : player.fate,
            )}
          </small>
        </li>
      ))}
    </ul>
  );
}

function SpeechView({ speech }: { readonly speech: FeedSpeech }) {
  const { speaker, model, target, message, thought, claims, why } = speech;
  return (
    <>
      <p class="who">
        <Player seat={speaker} />
        <Plays model={model} />
        {target === null ? null : (
          <span class="to">
            to <Player seat={target} />
          </span>
        )}
        <span class="tick">tick {speech.tick}</span>
      </p>
      <div class={thought === '' ? 'said' : 'said both'}>
        <blockquote>{message === '' ? <i>stays silent</i> : message}</blockquote>
        <Thought text={thought} />
      </div>
      <MentionList speech={speech} />
      <Claims claims={claims} />
      {why === '' ? null : <p class="why">{why}</p>}
    </>
  );
}

export function Thought({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <p class="thought">
      <span class="vh">Thinks: </span>
      {text}
    </p>
  );
}

function MentionList({ speech: { hits, accused } }: { readonly speech: FeedSpeech }) {
  if (hits.length === 0) return null;
  return (
    <ul class="hits" aria-label="Players whom this message names, addresses or accuses">
      {hits.map(({ seat, kind, word, reason }) => (
        <li
          key={`${seat} ${kind} ${word}`}
          data-kind={kind === 'accusation' && accused.includes(seat) ? 'accusation' : 'mention'}
          title={`${reason}: “${word}”`}
        >
          <span aria-hidden="true">{kind === 'accusation' ? '☞' : '@'}</span>
          <Chip seat={seat} />
          <span class="vh">{capitalize(seat)} </span>
          {kind === 'mention' ? 'named' : accused.includes(seat) ? 'accused' : 'addressed'}
          {word === 'target' ? null : (
            <span class="reason">{`“${word}”, ${reason.replace(/^named /, '')}`}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Claims({ claims }: { readonly claims: readonly JudgedClaim[] }) {
  if (claims.length === 0) return null;
  return (
    <ul class="claims" aria-label="Truth of the claims in this message">
      {claims.map((claim, index) => (
        <li key={index} data-truth={claim.truth}>
          <span aria-hidden="true">{claim.truth === 'true' ? '✓' : '✗'}</span>
          <span class="vh">{claim.truth === 'true' ? 'True: ' : 'Not true: '}</span>
          {describeClaim(claim)} · <b>{describeTruth(claim)}</b>
        </li>
      ))}
    </ul>
  );
}

const isOver = computed(() => {
  const { ending, ship, meeting } = moment.value ?? {};
  return ending != null || (ship === null && meeting?.isOver === true);
});

/** Nothing before the match is over, whatever the lens: a card that is looked back at is drawn then, too. */
const findings = computed((): readonly CardFact[] => {
  if (!isOver.value) return [];
  const [turn = null] = placedTurns.value;
  const errors = whyNotes.value?.reasoning?.errors ?? null;
  return listFindings({ turn, errors, spent: sumCalls(allCalls.value) });
});
