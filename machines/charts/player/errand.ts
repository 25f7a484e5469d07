/** Errands: transitions of everybody who can be asked what to do on the ship, the living and ghosts at work. */

/** Transitions of somebody who may be asked what to do on the ship. */
export function asked<T extends string>(target: T) {
  return {
    'order.requested': [
      { guard: 'answersAtOnce', actions: 'consult', description: 'A light mind decides at once.' },
      { target, actions: ['heed', 'consult'], description: 'The mind takes its time.' },
    ],
    'mind.decided': [
      { guard: 'answersAtOnce', actions: 'jot', description: 'Notes of a light mind.' },
      { actions: 'hand', description: 'Too late: the order is discarded.' },
    ],
  } as const;
}

/** Transitions of somebody who thinks about what to do on the ship. */
export function answering<T extends string>(target: T) {
  return {
    'mind.decided': [
      {
        guard: 'isThisRound',
        target,
        actions: ['hand', 'jot'],
        description: 'The order is handed in.',
      },
      { actions: 'hand', description: 'A decision for an older round: discarded.' },
    ],
    'round.missed': {
      guard: 'missedThis',
      target,
      actions: 'dismiss',
      description: 'The round went on without this player.',
    },
  } as const;
}
