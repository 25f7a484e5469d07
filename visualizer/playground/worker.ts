/** The worker of the tab: plays and checks in the background, so that the page stays responsive. */
import { playChoice } from './engine.ts';
import type { FromSiteWorker, ToSiteWorker } from './protocol.ts';

const now = () => performance.now();

/** Those who only play need no checker. */
const loadChecker = () => import('./checking.ts');

async function answer(message: ToSiteWorker): Promise<FromSiteWorker> {
  switch (message.type) {
    case 'play':
      return await playChoice(message.choice);
    case 'prove': {
      const { proveMeetings } = await loadChecker();
      const result = await proveMeetings(message.players, now, (subject, progress) => {
        const { states, transitions } = progress;
        post({ type: 'searching', rules: subject.rules, states, transitions });
      });
      return { type: 'proved', result };
    }
    case 'break': {
      const { breakRule } = await loadChecker();
      const result = breakRule(message.mistake, now, (world) => post({ type: 'trying', world }));
      if (result !== null) return { type: 'broken', result };
      const text = `no mistake is called ${JSON.stringify(message.mistake)}`;
      return { type: 'refused', notes: [{ code: 'site/no-such-mistake', text }] };
    }
    case 'list-mistakes': {
      const { listMistakes } = await loadChecker();
      return { type: 'mistakes', mistakes: listMistakes() };
    }
  }
}

function post(message: FromSiteWorker): void {
  postMessage(message);
}

/** Each message is answered once and in order, and progress comes before its answer. */
let last: Promise<void> = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<ToSiteWorker>) => {
  last = last.then(async () => {
    try {
      post(await answer(data));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      post({ type: 'refused', notes: [{ code: 'site/internal', text }] });
    }
  });
});
