import '../../page/style/page.css';
import './playground.css';
import './dialogs.css';
import './prove.css';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { readEmbeddedFacts } from '../../page/frame/embedded.ts';
import { applyPreferences } from '../../page/frame/preferences.ts';
import { App } from '../../page/game/app.tsx';
import { listenToKeys } from '../../page/game/commands.ts';
import { startEpisodeOfAddress } from '../../page/game/episode.tsx';
import { syncAddress } from '../../page/game/state/address.ts';
import { startPlayback } from '../../page/game/state/navigation.ts';
import { startSession } from '../../page/game/state/session.ts';
import { SiteBar, Strip } from './bar.tsx';
import { ForkDialog } from './fork.tsx';
import { loadMistakes, Prove } from './prove.tsx';
import { SetupDialog } from './setup.tsx';
import { openAddress, view } from './state.ts';

function Playground() {
  const isProving = view.value === 'prove';
  useEffect(() => {
    if (isProving) void loadMistakes();
  }, [isProving]);
  return (
    <div class="site" data-view={view.value}>
      <SiteBar />
      <Strip />
      {isProving ? <Prove /> : <App />}
      <SetupDialog />
      <ForkDialog />
    </div>
  );
}

applyPreferences();
startSession(readEmbeddedFacts());
const root = document.getElementById('page');
// What says that no script has run.
root?.replaceChildren();
if (root !== null) render(<Playground />, root);
await openAddress();
syncAddress();
listenToKeys();
startPlayback();
startEpisodeOfAddress();
