import type { Component, ExperimentDefinition } from '@atrium/contract'

/** A component with settings of its type, which the type of a definition leaves open. */
export const component = (id: string, type: string, settings: Record<string, unknown> = {}): Component => ({
  id,
  type,
  ...settings,
})

/** For one person: consent, a check, questions, thanks. */
export const survey: ExperimentDefinition = {
  name: 'Sleep and mood',
  consent: { text: 'Your answers are stored without your name.', requireScroll: true },
  states: [
    {
      id: 'rules',
      name: 'How it works',
      components: [
        component('check', 'instructions', {
          pages: ['The scale goes from 0 to 100.'],
          questions: [{ id: 'top', label: 'Which is best?', options: ['0', '100'], correct: '100' }],
        }),
      ],
    },
    {
      id: 'questions',
      name: 'Two questions',
      components: [
        component('mood', 'slider', { label: 'How do you feel?' }),
        component('sleep', 'multiple_choice', { label: 'How did you sleep?', options: ['badly', 'well'] }),
        component('why', 'text_input', { label: 'Why?', required: false }),
      ],
    },
    {
      id: 'thanks',
      name: 'Thank you',
      components: [component('bye', 'text', { text: 'That was **all**.' })],
      end: { on: 'button', label: 'Finish' },
    },
  ],
  completion: { codes: { SUCCESS: 'SLEEP-1', NO_CONSENT: 'SLEEP-NO', ABANDONED: 'SLEEP-LEFT' } },
}

/** Two people who wait for each other, talk, and answer. */
export const pair: ExperimentDefinition = {
  name: 'Two talk',
  states: [
    {
      id: 'talk',
      name: 'Agree on a number',
      components: [
        component('chat', 'chat', { label: 'Talk to the other person' }),
        component('number', 'text_input', { kind: 'number', label: 'Your number', min: 1, max: 9 }),
      ],
      end: { on: 'all_responded' },
    },
    { id: 'bye', name: 'Thank you', components: [], end: { on: 'button' } },
  ],
  matching: { groupSize: 2 },
  completion: { codes: { SUCCESS: 'PAIR' } },
}
