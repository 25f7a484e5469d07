import '../../page/style/page.css';
import './playground.css';
import './dialogs.css';
import './prove.css';
import { render } from 'preact';
import { readEmbeddedFacts } from '../../page/frame/embedded.ts';
import { bindCommands } from '../../page/frame/keyboard.tsx';
import { onDemand } from '../../page/frame/onDemand.tsx';
import { Dialog } from '../../page/frame/panel.tsx';
import { applyPreferences } from '../../page/frame/preferences.ts';
import { App } from '../../page/game/app.tsx';
import { COMMANDS } from '../../page/game/commands.ts';
import { syncAddress } from '../../page/game/state/address.ts';
import { startEpisodeOfAddress } from '../../page/game/state/episode.ts';
import { startPlayback } from '../../page/game/state/navigation.ts';
import { startSession } from '../../page/game/state/session.ts';
import { SiteBar, Strip } from './bar.tsx';
import { isForkOpen, isSetupOpen, openAddress, view } from './state.ts';

const Prove = onDemand(async () => (await import('./prove.tsx')).Prove);
const SetupForm = onDemand(async () => (await import('./setup.tsx')).SetupForm);
const ForkForm = onDemand(async () => (await import('./fork.tsx')).ForkForm);

function Playground() {
  return (
    <div class="site" data-view={view.value}>
      <SiteBar />
      <Strip />
      {view.value === 'prove' ? <Prove /> : <App />}
      <Dialog name="setup" isOpen={isSetupOpen}>
        {isSetupOpen.value ? <SetupForm /> : null}
      </Dialog>
      <Dialog name="fork" isOpen={isForkOpen}>
        {isForkOpen.value ? <ForkForm /> : null}
      </Dialog>
    </div>
  );
}

applyPreferences();
startSession(readEmbeddedFacts());
const root = document.getElementById('page');
// What says that no script has run.
root?.replaceChildren();
if (root !== null) render(<Playground />, root);
void openAddress().then(() => {
  syncAddress();
  bindCommands(COMMANDS);
  startPlayback();
  startEpisodeOfAddress();
});
