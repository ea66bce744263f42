import { expect, it } from 'vitest'
import { component, group, playRoom, state } from '../test/played-room.ts'

const give = component('give', 'slider', { saveTo: 'given', label: 'Of {{endowment}}, how much?' })
const variables = {
  endowment: 20,
  given: { scope: 'participant', initial: 0 },
  pot: { compute: 'sum(responses.give)' },
  offer: { scope: 'participant', initial: '*all*' },
}

it('[RM131] texts show values as each participant may see them, also after a change', () => {
  const room = playRoom(
    group(
      [
        state('give', {
          name: 'Round of {{participants}}',
          instructions: 'So far **{{pot | 0.00}}**. You said {{offer}}.',
          components: [
            give,
            component('note', 'text', { text: 'Others: {{others.given}}, you: {{self.given}}' }),
          ],
          end: { on: 'button', label: 'Give ({{pot}})' },
        }),
        state('after'),
      ],
      { variables, globalComponents: [component('bar', 'text', { text: 'Pot {{pot}}' })] },
    ),
  )
  const seen = (who: string) => room.snapshot(who).state
  expect(seen('p1')).toMatchObject({
    name: 'Round of 2',
    instructions: String.raw`So far **0\.00**. You said \*all\*.`,
    buttonLabel: 'Give (0)',
    components: [{ label: 'Of 20, how much?' }, { text: 'Others: 0, you: 0' }],
  })
  room.respond('p1', 'give', 7)
  expect(seen('p2')).toMatchObject({
    buttonLabel: 'Give (7)',
    components: [{}, { text: 'Others: 7, you: 0' }],
  })
  expect(room.snapshot('p2').globalComponents).toMatchObject([{ text: 'Pot 7' }])
  const told = room.heard('p2').filter(({ type }) => type === 'texts')
  expect(told.at(-1)).toMatchObject({
    state: { visit: seen('p2')?.visit, buttonLabel: 'Give (7)' },
    globalComponents: [{ text: 'Pot 7' }],
  })
})

it('[RM131] nothing is told where no text changes', () => {
  const room = playRoom(group([state('give', { components: [give] }), state('after')], { variables }))
  room.respond('p1', 'give', 7)
  expect(room.heard('p2').some(({ type }) => type === 'texts')).toBe(false)
})

it('[RM132] everyone reads the texts of their language, and answers the same', () => {
  const question = component('q', 'multiple_choice', {
    label: { en: 'You have {{n}}. Agreed?', de: 'Sie haben {{n}}. Einverstanden?' },
    options: [
      { value: 'yes', label: { en: 'Yes', de: 'Ja' } },
      { value: 'no', label: { en: 'No', de: 'Nein' } },
    ],
  })
  const room = playRoom(
    group([state('ask', { components: [question] }), state('after')], {
      languages: ['en', 'de'],
      variables: { n: 1234.5 },
    }),
  )
  room.dispatch({ type: 'connected', participantId: 'p2', language: 'de' })
  expect(room.snapshot('p1').state?.components).toMatchObject([
    { label: 'You have 1,234.5. Agreed?', options: [{ value: 'yes', label: 'Yes' }, {}] },
  ])
  expect(room.snapshot('p2').state?.components).toMatchObject([
    { label: 'Sie haben 1.234,5. Einverstanden?', options: [{ value: 'yes', label: 'Ja' }, {}] },
  ])
  expect(room.respond('p2', 'q', 'yes')).toEqual(expect.any(Number))
  room.dispatch({ type: 'connected', participantId: 'p2', language: 'xx' })
  expect(room.snapshot('p2').state?.components).toMatchObject([{ label: 'You have 1,234.5. Agreed?' }])
})

it('[RM132] the others are known by the name of their role, in the language of whoever reads it', () => {
  const roles = [{ id: 'seller', name: { en: 'Seller', de: 'Verkäufer' } }, 'buyer']
  const given = { roles: JSON.parse(JSON.stringify(roles)), languages: ['en', 'de'] }
  const room = playRoom(group([state('talk')], given), { roles: ['seller', 'buyer'] })
  expect(room.snapshot('p2').others).toMatchObject([{ role: 'seller', roleName: 'Seller' }])
  room.dispatch({ type: 'connected', participantId: 'p2', language: 'de' })
  expect(room.snapshot('p2').others).toMatchObject([{ role: 'seller', roleName: 'Verkäufer' }])
  expect(room.snapshot('p1').others[0]).not.toHaveProperty('roleName')
})
