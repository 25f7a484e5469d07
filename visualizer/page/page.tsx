/** The page: opens its journal and shows it. */
import './style/page.css';
import { render } from 'preact';
import { readEmbeddedFacts } from './frame/embedded.ts';
import { applyPreferences } from './frame/preferences.ts';
import { App } from './game/app.tsx';
import { listenToKeys } from './game/commands.ts';
import { startEpisodeOfAddress } from './game/episode.tsx';
import { startTitling } from './game/header.tsx';
import { syncAddress } from './game/state/address.ts';
import { startCountingSeconds } from './game/state/live.ts';
import { startPlayback } from './game/state/navigation.ts';
import { startSession } from './game/state/session.ts';
import { acceptDrops, openDocument } from './game/state/start.ts';

applyPreferences();
startSession(readEmbeddedFacts());
const root = document.getElementById('page');
if (root !== null) render(<App />, root);
await openDocument();
syncAddress();
startTitling();
listenToKeys();
startPlayback();
startEpisodeOfAddress();
startCountingSeconds();
acceptDrops();
