/** The explorer: opens the findings of a check and shows them. */
import { render } from 'preact';
import './explorer/style/explorer.css';
import { keepAddress } from './explorer/state/address.ts';
import { listenToKeys } from './explorer/state/keys.ts';
import { openReport } from './explorer/state/opening.ts';
import { Explorer } from './explorer/view/explorer.tsx';
import { applyPreferences } from './frame/preferences.ts';

applyPreferences();
const root = document.getElementById('page');
if (root !== null) render(<Explorer />, root);
await openReport();
keepAddress();
listenToKeys();
