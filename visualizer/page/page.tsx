/** The page: opens its journal and shows it. */
import { render } from 'preact';
import './style/page.css';
import { keepLook } from './frame/look.ts';
import { keepAddress } from './game/state/address.ts';
import { takeDrops } from './game/state/drop.ts';
import { listenToKeys } from './game/state/keys.ts';
import { countSeconds } from './game/state/news.ts';
import { openDocument } from './game/state/opening.ts';
import { startClock } from './game/state/travel.ts';
import { App } from './game/view/app.tsx';

keepLook();
const root = document.getElementById('page');
if (root !== null) render(<App />, root);
await openDocument();
keepAddress();
listenToKeys();
startClock();
countSeconds();
takeDrops();
