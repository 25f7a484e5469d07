/** Draws a film as an SVG picture that moves by style sheets alone. */
import { readFileSync } from 'node:fs';
import { SCORE_TERMS } from '../../../machines/rules/scoreTerms.ts';
import { capitalize } from '../../../machines/text.ts';
import type { Ballot } from '../../../machines/types.ts';
import { cutText, measureText, wrapText } from '../../../visualizer/card/drawing.ts';
import { drawGroup, drawTitle, escapeXml } from '../../../visualizer/charts/svg.ts';
import { explainFloor } from '../../../visualizer/floorReason.ts';
import { listBids } from '../../../visualizer/page/game/story/bids.ts';
import type { DrawnChart, DrawnNode } from '../../../visualizer/page/game/story/pageData.ts';
import { badgeOf, candidateName, describeCall, joinPieces } from '../../../visualizer/text.ts';
import { END, type Film, type Span, type Stay, type TickScene } from './film.ts';
import { Motion } from './motion.ts';

/** All in pixels. */
const WIDTH = 840;
const HEIGHT = 492;
const TOP = 78;
const BOTTOM = HEIGHT - 14;
const CHART = { x: 14, width: 286 };
const WORDS = { x: 310, width: 250 };
const BIDS = { x: 570, width: 256 };

export function drawFilm(film: Film, chart: DrawnChart): string {
  const motion = new Motion();
  const parts = [
    ...drawHead(film, chart, motion),
    ...drawStatechart(film, chart, motion),
    ...drawWords(film, chart, motion),
    ...drawBids(film, motion),
  ];
  const css = readFileSync(new URL('film.css', import.meta.url), 'utf8');
  const title = `${joinPieces(describeCall(film.call))}. Bids reach the arbiter, players speak and vote, and the statechart of the meeting steps from discussion to voting to reveal. ${film.verdict.sentence}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="film" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    drawTitle(title),
    `<style>${motion.css}\n${css.replaceAll(/\s+/g, ' ')}</style>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function drawBox(name: string, x: number, y: number, width: number, height: number, radius = 7) {
  return `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
}

type Look = { readonly size?: number; readonly name?: string; readonly anchor?: 'middle' | 'end' };

function drawText(x: number, y: number, text: string, { size = 12, name, anchor }: Look = {}) {
  const looks = [
    ...(name === undefined ? [] : [` class="${name}"`]),
    ...(anchor === undefined ? [] : [` text-anchor="${anchor}"`]),
  ];
  return `<text x="${x}" y="${y}" font-size="${size}"${looks.join('')}>${escapeXml(text)}</text>`;
}

/** The system's letters may be wider than those that the widths are of. */
const WIDER = 1.04;

function cut(text: string, size: number, width: number): string {
  return cutText(text, size * WIDER, width);
}

function drawLines(
  x: number,
  y: number,
  text: string,
  width: number,
  look: Look & { size: number },
) {
  const { size } = look;
  const high = Math.round(size * 1.36);
  const lines = wrapText(text, { size: size * WIDER, width, lines: 7 });
  const drawn = lines.map((line, index) => drawText(x, y + index * high, line, look)).join('');
  return { drawn, height: lines.length * high };
}

const SKIP = { code: 'skip', suit: '#758593', letters: '#ffffff' };

function drawBadge(x: number, y: number, ballot: Ballot): string {
  const { code, suit, letters } = ballot === 'skip' ? SKIP : badgeOf(ballot);
  const width = ballot === 'skip' ? 31 : 24;
  return drawGroup('class="badge"', [
    `<rect x="${x}" y="${y}" width="${width}" height="18" rx="6" fill="${suit}"/>`,
    `<text x="${x + width / 2}" y="${y + 13}" font-size="10.5" style="fill:${letters}">${code}</text>`,
  ]);
}

function drawPanel({ x, width }: typeof CHART, title: string): string {
  const name = drawText(x + 12, TOP + 20, title, { size: 10, name: 'title' });
  return drawBox('pane', x, TOP, width, BOTTOM - TOP, 10) + name;
}

function isWithin({ state }: Stay, node: string): boolean {
  return state === node || state.startsWith(`${node}.`);
}

/** The spans in which something holds, joined where it goes on. */
function listSpans(stays: readonly Stay[], holds: (stay: Stay) => boolean): readonly Span[] {
  const held = stays.filter(holds);
  const starts = held.filter(({ from }, index) => held[index - 1]?.to !== from);
  const ends = held.filter(({ to }, index) => held[index + 1]?.from !== to);
  return starts.map(({ from }, index) => ({ from, to: ends[index]?.to ?? END }));
}

function drawHead({ call, meeting }: Film, { nodes }: DrawnChart, motion: Motion) {
  const phases = nodes.filter(({ isTop, isFinal }) => isTop && !isFinal);
  const placeOf = (stay: Stay) => phases.findIndex(({ id }) => isWithin(stay, id));
  const width = (WIDTH - 28 - 6 * (phases.length - 1)) / phases.length;
  const drawPhase = (name: string, index: number, text: string) => {
    const x = Math.round(14 + index * (width + 6));
    const look = { name: `${name}-name`, anchor: 'middle' } as const;
    return drawBox(name, x, 40, width, 25, 12) + drawText(x + width / 2, 57, text, look);
  };
  const sentence = `${joinPieces(describeCall(call))}.`;
  return [
    drawBox('ground', 0.5, 0.5, WIDTH - 1, HEIGHT - 1, 12),
    drawText(16, 26, 'THE GLASS BOX LEAGUE', { size: 10.5, name: 'brand' }),
    drawText(WIDTH - 16, 26, sentence, { size: 13, name: 'soft', anchor: 'end' }),
    ...phases.flatMap(({ key }, index) => [
      drawPhase('phase', index, key),
      ...listSpans(meeting, (stay) => placeOf(stay) > index).map((span) =>
        motion.show(span, drawPhase('done', index, `✓ ${key}`)),
      ),
      ...listSpans(meeting, (stay) => placeOf(stay) === index).map((span) =>
        motion.show(span, drawPhase('here', index, `▸ ${key}`)),
      ),
    ]),
  ];
}

const VIEW = { x: CHART.x + 6, y: TOP + 66, width: 274, height: 322 };
/** How long a transition stays hot. */
const HOT_MS = 900;

function drawStatechart({ meeting }: Film, { nodes, edges, lines }: DrawnChart, motion: Motion) {
  const states = nodes.slice(1);
  const drawState = (node: DrawnNode, name: string) =>
    drawBox(name, node.x, node.y, node.width, node.height) +
    drawText(node.x + 10, node.y + 17, node.key, { size: 12.5, name: `${name}-name` });
  const light = (node: DrawnNode) => {
    const name = node.isInnermost ? 'leaf' : 'lit';
    return listSpans(meeting, (stay) => isWithin(stay, node.id)).map((span) => {
      const marks = `data-${name}="${node.id}" data-from="${span.from}"`;
      return motion.show(span, drawGroup(marks, [drawState(node, name)]));
    });
  };
  const drawLine = (line: DrawnChart['lines'][number]) =>
    `<path class="line" d="${line.path}"/><path class="head" d="${line.head}"/>`;
  const hot = meeting.flatMap(({ from, edges: fired }) =>
    lines
      .filter((line) => from > 0 && line.edges.some((edge) => fired.includes(edge)))
      .map(({ path }) =>
        motion.show({ from, to: from + HOT_MS }, `<path class="hot" d="${path}"/>`),
      ),
  );
  const views = meeting.map((stay) => ({ from: stay.from, ...findView(stay, states) }));
  const pan = motion.pan(views.filter(({ y }, index) => y !== views[index - 1]?.y));
  const [x, room] = [CHART.x + 12, CHART.width - 24];
  return [
    drawPanel(CHART, 'STATECHART OF THE MEETING'),
    ...meeting.map((stay) => {
      const name = states.find(({ id }) => id === stay.state)?.name ?? '';
      const move = edges.find(({ id }) => stay.from > 0 && id === stay.edges.at(-1))?.text ?? '';
      return motion.show(
        stay,
        [
          drawText(x, TOP + 40, name, { size: 13.5, name: 'strong' }),
          drawText(x, TOP + 57, cut(move, 11, room), { size: 11, name: 'move' }),
        ].join(''),
      );
    }),
    drawBox('well', VIEW.x, VIEW.y, VIEW.width, VIEW.height),
    `<svg x="${VIEW.x}" y="${VIEW.y}" width="${VIEW.width}" height="${VIEW.height}"><g class="${pan}">`,
    ...states
      .filter(({ isInnermost }) => !isInnermost)
      .flatMap((node) => [drawState(node, 'state'), ...light(node)]),
    ...states.filter(({ isInnermost }) => isInnermost).map((node) => drawState(node, 'state')),
    ...lines.map(drawLine),
    ...hot,
    ...states.filter(({ isInnermost }) => isInnermost).flatMap(light),
    '</g></svg>',
  ];
}

/** The corner of the view that has the largest part around a state that fits. */
function findView(stay: Stay, states: readonly DrawnNode[]) {
  const around = states.filter(({ id }) => isWithin(stay, id));
  const seen = around.find(({ height }) => height <= VIEW.height);
  const { x = 0, y = 0, width = 0, height = 0 } = seen ?? {};
  return { x: Math.max(0, x + (width - VIEW.width) / 2), y: y + (height - VIEW.height) / 2 };
}

function drawWords({ speeches, ...film }: Film, { nodes }: DrawnChart, motion: Motion) {
  const [x, room] = [WORDS.x + 12, WORDS.width - 24];
  const spoken = speeches.map(({ line, ...span }) => {
    if (line.said === null || line.floor === null) return '';
    const { said, floor: speaker } = line;
    const thought = listBids(line).find(({ seat }) => seat === speaker)?.thought ?? '';
    const to = said.target == null ? '' : ` to ${capitalize(said.target)}`;
    const words = drawLines(x + 12, TOP + 81, said.message, room - 24, { size: 12.6 });
    const y = TOP + 86 + words.height;
    const mind = drawLines(x + 28, y + 19, thought, room - 40, { size: 11.8, name: 'thought' });
    const drawn = [
      drawBadge(x, TOP + 34, speaker),
      drawText(x + 32, TOP + 48, `${capitalize(speaker)}${to}`, { size: 13.5, name: 'strong' }),
      drawBox('speech', x, TOP + 60, room, words.height + 16, 9),
      drawBox('mind', x + 16, y, room - 16, mind.height + 14, 9),
      words.drawn,
      mind.drawn,
    ];
    return motion.show(span, drawn.join(''), 'translateY(6px)');
  });
  const after = film.meeting.filter(({ from }) => from >= film.counting);
  const told = nodes.flatMap(({ id, description }) =>
    listSpans(after, ({ state }) => state === id).map((span) =>
      motion.show(span, drawLines(x, TOP + 46, description, room, { size: 12.6 }).drawn),
    ),
  );
  const verdict = film.verdict.sentence.split(/(?<=\.) /).map((part, index) => {
    return drawText(x, TOP + 178 + index * 21, part, { size: 15, name: 'verdict' });
  });
  return [
    drawPanel(WORDS, 'WHAT IS SAID, AND THOUGHT'),
    ...spoken,
    ...told,
    ...drawCount(film, x, motion),
    motion.show({ from: film.verdict.at, to: END }, verdict.join(''), 'translateY(8px)'),
    ...drawVotes(film, x, motion),
  ];
}

type Votes = Pick<Film, 'ticks' | 'locks' | 'reveals'>;

/** The ballots as they are turned: a badge of each voter. */
function drawCount({ reveals }: Votes, x: number, motion: Motion): readonly string[] {
  const candidates = [...new Set(reveals.map(({ ballot }) => ballot))].toSorted();
  return candidates.flatMap((ballot, index) => {
    const y = TOP + 82 + index * 32;
    const turned = reveals.filter((one) => one.ballot === ballot);
    const name = drawText(x + 38, y + 13.5, candidateName(ballot), { size: 13, name: 'strong' });
    return [
      motion.show({ from: reveals[0]?.at ?? END, to: END }, drawBadge(x, y, ballot) + name),
      ...turned.map(({ seat, at }, place) =>
        motion.show(
          { from: at, to: END },
          drawBadge(x + 104 + place * 28, y, seat),
          'translateY(-9px)',
        ),
      ),
    ];
  });
}

function drawVotes({ ticks, locks }: Votes, x: number, motion: Motion): readonly string[] {
  const top = BOTTOM - 122;
  const seats = ticks[0]?.line.bids.map(({ seat }) => seat) ?? [];
  const counts = locks.map(({ at }, index) => {
    const span = { from: at, to: locks[index + 1]?.at ?? END };
    const look = { size: 11, name: 'soft', anchor: 'end' } as const;
    const text = `${index + 1} of ${seats.length} have voted`;
    return motion.show(span, drawText(x + WORDS.width - 24, top + 6, text, look));
  });
  const rows = seats.flatMap((seat, index) => {
    const [left, y] = [x + (index % 2) * 118, top + 20 + Math.floor(index / 2) * 32];
    const { ballot, at: from } = locks.find((one) => one.seat === seat) ?? {
      ballot: null,
      at: END,
    };
    const open = drawText(left + 32, y + 13, 'open', { size: 11, name: 'soft' });
    const vote =
      ballot === null
        ? ''
        : drawText(left + 29, y + 13.5, '→', { name: 'soft' }) + drawBadge(left + 46, y, ballot);
    return [
      drawBadge(left, y, seat),
      motion.show({ from: 0, to: from }, open),
      motion.show({ from, to: END }, vote),
    ];
  });
  return [drawText(x, top + 6, 'VOTES', { size: 10, name: 'title' }), ...counts, ...rows];
}

const GATE = { x: BIDS.x + 10, y: TOP + 30, width: BIDS.width - 20, height: 36 };
const ROW = 47;

function drawBids({ ticks, arbiter, impostors }: Film, motion: Motion): readonly string[] {
  let x = BIDS.x + 12;
  const legend = SCORE_TERMS.filter(({ sign }) => sign === '+').map(({ key, label }) => {
    const at = x;
    x += 17 + measureText(label, 9.6);
    const name = drawText(at + 12, BOTTOM - 10, label, { size: 9.6, name: 'soft' });
    return drawBox(key, at, BOTTOM - 18, 9, 9, 2) + name;
  });
  return [
    drawPanel(BIDS, 'BIDS FOR THE FLOOR'),
    drawBox('well', GATE.x, GATE.y, GATE.width, GATE.height),
    drawText(GATE.x + 12, GATE.y + 23, 'Arbiter', { size: 13, name: 'strong' }),
    ...arbiter.map((stay) => {
      const state = stay.state.split('.').at(-1) ?? '';
      const look = { name: 'word', anchor: 'end' } as const;
      const word = drawText(GATE.x + GATE.width - 12, GATE.y + 23, state, look);
      return motion.show(stay, drawGroup(`data-arbiter="${stay.state}"`, [word]));
    }),
    ...ticks.flatMap((tick) => drawTick(tick, impostors, motion)),
    ...legend,
  ];
}

function drawTick(tick: TickScene, impostors: Film['impostors'], motion: Motion) {
  const { line, arrivals, scored, floor, from, to } = tick;
  const [x, end] = [BIDS.x, BIDS.x + BIDS.width];
  const rows = listBids(line);
  const sums = rows.map(({ terms }) =>
    SCORE_TERMS.reduce((sum, { key }) => sum + Math.max(0, terms[key]), 0),
  );
  const scale = (BIDS.width - 102) / Math.max(...sums);
  const why = `${capitalize(line.floor ?? '')} has the floor. ${explainFloor(line)}`;
  const look = { size: 11, name: 'soft', anchor: 'end' } as const;
  return [
    motion.show({ from, to }, drawText(end - 12, TOP + 20, `tick ${line.tick}`, look)),
    motion.show(
      { from: floor, to },
      drawText(x + 12, BOTTOM - 31, cut(why, 11, BIDS.width - 24), { size: 11 }),
    ),
    ...rows.flatMap((row) => {
      const place = line.bids.findIndex(({ seat }) => seat === row.seat);
      const [y, arrived] = [TOP + 78 + place * ROW, arrivals[place] ?? from];
      const name = capitalize(row.seat);
      const side = impostors.includes(row.seat) ? '<tspan class="alarm"> · impostor</tspan>' : '';
      const told = (text: string) =>
        drawText(x + 42, y + 13, text, { size: 11 }).replace('</text>', `${side}</text>`);
      const count = drawText(
        GATE.x + GATE.width / 2,
        GATE.y + 23,
        `${place + 1} of ${rows.length} bids`,
        { anchor: 'middle' },
      );
      const token = `<circle cx="${end - 26}" cy="${GATE.y + GATE.height}" r="4.5" fill="${badgeOf(row.seat).suit}"/>`;
      const total = drawText(end - 14, y + 14, formatSigned(row.total), {
        size: 14,
        name: row.isWinner ? 'won' : 'strong',
        anchor: 'end',
      });
      const thought = drawText(x + 42, y + 30, cut(row.thought, 10.8, BIDS.width - 56), {
        size: 10.8,
        name: 'thought',
      });
      return [
        row.isWinner
          ? motion.show(
              { from: floor, to },
              drawBox('winner', x + 5, y - 8, BIDS.width - 10, ROW - 2),
            )
          : '',
        motion.show({ from, to }, drawBadge(x + 11, y, row.seat)),
        motion.show({ from, to: arrived }, told(`${name} thinks …`)),
        motion.show(
          { from: arrived, to: arrived + HOT_MS / 2 },
          token,
          `translateY(${y - GATE.y - 27}px)`,
        ),
        motion.show({ from: arrived, to: arrivals[place + 1] ?? floor }, count),
        motion.show({ from: arrived, to: scored }, told(`${name} bids ${row.terms.desire} of 10`)),
        motion.show({ from: arrived, to }, thought),
        motion.show(
          { from: scored, to },
          drawGroup(`data-total="${row.total}"`, [...drawBar(row.terms, scale, y), total]),
        ),
      ];
    }),
  ];
}

function formatSigned(value: number): string {
  return `${value}`.replace('-', '−');
}

function drawBar(terms: ReturnType<typeof listBids>[number]['terms'], scale: number, y: number) {
  let x = BIDS.x + 42;
  return SCORE_TERMS.map(({ key, sign }) => {
    const [value, at] = [terms[key], x];
    if (value === 0) return '';
    const width = Math.round(Math.abs(value) * scale);
    x += width;
    const bar = drawBox(sign === '-' ? 'loss' : key, at, y, width - 1, 17, 3);
    const look = { size: 10, anchor: 'middle' } as const;
    return width < 9 ? bar : bar + drawText(at + width / 2, y + 12.5, formatSigned(value), look);
  });
}
