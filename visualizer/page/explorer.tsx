import { render } from 'preact';
import './explorer/explorer.css';
import { COMMANDS, Explorer, openReport } from './explorer/explorer.tsx';
import { keepAddress } from './explorer/visit.ts';
import { bindCommands } from './frame/keyboard.tsx';
import { applyPreferences } from './frame/preferences.ts';

applyPreferences();
const root = document.getElementById('page');
if (root !== null) render(<Explorer />, root);
await openReport();
keepAddress();
bindCommands(COMMANDS);
