/** For researchers who have not launched a study yet. */
export const firstSteps = {
  firstSteps: {
    title: 'Your first study in three steps',
    hide: 'Hide these steps',
    done: 'Done:',
    steps: {
      build: {
        title: 'Build it from a template',
        message:
          'Each template is a whole study that works. Take the one that is closest to yours and change it.',
        action: 'Choose a template',
      },
      try: {
        title: 'Play it yourself',
        message:
          'In the builder, “Try it” shows the study as each participant sees it. Nothing of it is in your data.',
        action: 'Open it in the builder',
      },
      launch: {
        title: 'Launch it',
        message:
          'The overview has a checklist, the button that starts recruiting, and the link for your participants.',
        action: 'Go to the overview',
      },
    },
  },
}
