import { expect, test } from 'vitest';
import type { SeatStatus } from '../../../machines/turnPrompt.ts';
import { type SeatPort, SeatStream } from '../../../visualizer/server/routes.ts';

/** A seat that says at every look how often it was looked at. */
function aSeat() {
  const watchers = new Set<() => void>();
  const change = () => {
    for (const look of watchers) look();
  };
  let asked = 0;
  const seat: SeatPort = {
    get seating(): SeatStatus {
      return { seat: 'red', attendance: 'here', asked: null, missed: 0, isOver: asked > 1 };
    },
    watch: (look) => {
      watchers.add(look);
      return () => watchers.delete(look);
    },
    come: () => {
      change();
      return change;
    },
    answer: () => null,
    leave: () => {},
  };
  return {
    seat,
    ask: () => {
      asked += 1;
      change();
    },
  };
}

/** A viewer that reads only on request. */
function aReader() {
  const told: string[] = [];
  const viewer = {
    write: (text: string) => {
      told.push(text);
      return false;
    },
    end: () => {},
  };
  return { told, viewer };
}

test('a new holder gets the status once', () => {
  const { told, viewer } = aReader();
  new SeatStream(aSeat().seat).join(viewer);
  expect(told).toHaveLength(1);
});

test('who has read all is not told the same again', () => {
  const { told, viewer } = aReader();
  const post = new SeatStream(aSeat().seat);
  post.join(viewer);
  post.pump(viewer);
  post.pump(viewer);
  expect(told).toHaveLength(1);
});

test('a slow reader gets only the latest status', () => {
  const { told, viewer } = aReader();
  const { seat, ask } = aSeat();
  const post = new SeatStream(seat);
  post.join(viewer);
  ask();
  ask();
  expect(told).toHaveLength(1);
  post.pump(viewer);
  expect(told).toHaveLength(2);
  expect(told[1]).toContain('"isOver":true');
});
