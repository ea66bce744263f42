import type { ExperimentDefinition } from '@atrium/contract'
import { expect, test } from 'vitest'
import { materialsOf } from './materials.ts'

const colour = {
  id: 'colour',
  type: 'multiple_choice',
  label: { en: 'Which one?', de: 'Welche?' },
  options: [
    { value: 'r', label: { en: 'Red', de: 'Rot' } },
    { value: 'g', label: { en: 'Green', de: 'Grün' } },
  ],
  correct: 'r',
}

const definition: ExperimentDefinition = {
  name: { en: 'Colours', de: 'Farben' } as unknown as string,
  languages: ['en', 'de'],
  consent: { text: { en: 'I **agree**.', de: 'Ich stimme zu.' } as unknown as string },
  agentInstructions: 'It is a game about colours.',
  agents: [
    {
      id: 'helper',
      name: 'Kim',
      credentialId: 'cred_1',
      seats: 1,
      instructions: 'Be brief. Never write ```.',
    },
    { id: 'bot', name: 'Bo', provider: 'Scripted', seats: 1, instructions: 'Nothing.' },
  ],
  states: [
    {
      id: 'ask',
      name: { en: 'A question', de: 'Eine Frage' } as unknown as string,
      agentInstructions: 'Take red.',
      components: [colour],
      end: { on: 'button', label: { en: 'Next', de: 'Weiter' } as unknown as string },
    },
  ],
  globalComponents: [{ id: 'talk', type: 'chat', roles: ['guide'] }],
  roles: ['guide'],
  recruiting: { sona: { school: 'ulm', experimentId: '1', creditToken: 'grants-credit' } },
}

const filesOf = (answerKeys: boolean) =>
  new Map(materialsOf(3, definition, { answerKeys }).files.map(({ path, text }) => [path, text]))

test('[D42] consent, names, questions and options are there in each language, in the order of the study', () => {
  const files = filesOf(false)
  expect(files.get('materials/revision-3.de.md')).toBe(
    `# Farben

Revision 3, in \`de\`: what people could read, in the order of the definition. Values in double braces were filled in for each person.

## Consent

Ich stimme zu.

## Eine Frage (\`ask\`)

### \`colour\` (Multiple choice)

Welche?

- Rot

- Grün

Button: Weiter

## On several pages

### \`talk\` (Chat, only for guide)
`,
  )
  expect(files.get('materials/revision-3.en.md')).toContain('## A question (`ask`)')
})

test('[D41] what counts as correct is in the definition only if it is asked for, and credentials never are', () => {
  const [without, withKeys] = [filesOf(false), filesOf(true)].map(
    (files) => files.get('materials/revision-3.json') ?? '',
  )
  expect(JSON.parse(without ?? '').states[0].components[0]).not.toHaveProperty('correct')
  expect(JSON.parse(withKeys ?? '').states[0].components[0].correct).toBe('r')
  expect(`${without}${withKeys}`).not.toContain('grants-credit')
  expect(JSON.parse(withKeys ?? '').recruiting.sona.school).toBe('ulm')
  const [one, other] = [true, false].map((answerKeys) => materialsOf(3, definition, { answerKeys }).record)
  expect(one).toEqual(other)
})

test('[D42] the prompts of models are there as they are sent, with what a state adds; scripts have none', () => {
  const prompts = filesOf(false).get('materials/revision-3.prompts.md') ?? ''
  expect(prompts).toContain('# helper\n\n````text\n# Rules\n')
  expect(prompts).toContain('# You\nKim\nBe brief. Never write ```.\n````')
  expect(prompts).toContain('## In `ask`\n')
  expect(prompts).toContain('# Now\nTake red.')
  expect(prompts).not.toContain('# bot')
  expect(materialsOf(1, { ...definition, agents: [] }, { answerKeys: false }).files).toHaveLength(3)
})
