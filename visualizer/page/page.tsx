/** The page: opens its journal and shows it. */
import { render } from 'preact';
import './style/page.css';
import { keepLook } from './frame/look.ts';
import { keepAddress } from './state/address.ts';
import { takeDrops } from './state/drop.ts';
import { listenToKeys } from './state/keys.ts';
import { countSeconds } from './state/news.ts';
import { openDocument } from './state/opening.ts';
import { startClock } from './state/travel.ts';
import { App } from './view/app.tsx';

keepLook();
const root = document.getElementById('page');
if (root !== null) render(<App />, root);
await openDocument();
keepAddress();
listenToKeys();
startClock();
countSeconds();
takeDrops();
