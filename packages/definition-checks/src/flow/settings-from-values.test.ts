import { describe, expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const findingsOf = (component: object, more: object = {}): unknown => {
  const checked = checkOnSaving({
    name: 'Study',
    variables: {
      pot: 3,
      names: { initial: ['Ada', 'Bo'] },
      hidden: { initial: 1, secret: true },
      given: { scope: 'participant', initial: 0 },
    },
    states: [{ id: 's', components: [{ id: 'c', ...component }] }],
    ...more,
  })
  return 'issues' in checked ? checked : { issues: [] }
}
const at = '/states/0/components/0'

describe('[F58] settings may come from values', () => {
  test.each<[what: string, component: object]>([
    ['a number in braces', { type: 'slider', max: '{{pot * 2}}' }],
    ['a number', { type: 'slider', min: 0, max: { from: 'given + pot' } }],
    ['a truth value', { type: 'multiple_choice', options: ['a', 'b'], shuffle: { from: 'pot > 2' } }],
    ['a word', { type: 'text_input', kind: { from: "pot > 2 ? 'paragraph' : 'short'" } }],
    ['an address', { type: 'image', src: '/pictures/{{pot}}.png', alt: 'A picture' }],
    ['all options', { type: 'multiple_choice', options: { from: 'names' } }],
    [
      'some options',
      { type: 'multiple_choice', options: ['none', '{{names[0]}}', { value: '{{pot}}', label: 'All' }] },
    ],
    [
      'a secret key',
      { type: 'attention_check', label: 'Which?', options: [1, 2], correct: { from: 'hidden' } },
    ],
    [
      'the correct key of a reaction [F95]',
      {
        type: 'reaction_time',
        keys: ['f', 'j'],
        trials: [{ text: '{{pot}}', correctKey: "{{if(pot > 2, 'f', 'j')}}" }],
        autoStart: true,
      },
    ],
    [
      'what stands in a row',
      { type: 'dropdown', options: ['a', { value: 2, label: '{{pot}}' }], shuffle: '{{false}}' },
    ],
  ])('%s', (_what, component) => {
    expect(findingsOf(component)).toEqual({ issues: [] })
  })

  test.each<[what: string, component: object, path: string, message: string]>([
    ['an unknown name', { type: 'slider', max: '{{pto}}' }, '/max', 'did you mean ‘pot’?'],
    [
      'a value of another kind',
      { type: 'slider', max: { from: "'ten'" } },
      '/max/from',
      'needs a number, but the expression gives text',
    ],
    [
      'a number for a list',
      { type: 'multiple_choice', options: { from: '1 + 1' } },
      '/options/from',
      'needs a list',
    ],
    ['a secret', { type: 'slider', max: { from: 'hidden' } }, '/max/from', '‘hidden’ is secret'],
    [
      'a secret in an option',
      { type: 'dropdown', options: ['a', '{{hidden}} €'] },
      '/options/1',
      '‘hidden’ is secret',
    ],
    ['a draw', { type: 'slider', max: { from: 'drawInt(1, 6)' } }, '/max/from', 'onEnter'],
    ['what is being entered', { type: 'slider', max: { from: 'answers.c' } }, '/max/from', 'answers'],
    ['half a sentence', { type: 'image', src: '/a/{{pot', alt: 'A' }, '/src', 'is never closed'],
    ['what a text should say', { type: 'text', text: { from: 'pot' } }, '/text', 'text'],
    ['an id', { type: 'video', videoId: { from: 'names[0]' } }, '/videoId', 'text'],
  ])('but not with %s', (_what, component, path, message) => {
    expect(findingsOf(component)).toMatchObject({
      issues: expect.arrayContaining([{ path: at + path, message: expect.stringContaining(message) }]),
    })
  })

  test('the other settings of such a component are checked as ever', () => {
    const component = {
      type: 'multiple_choice',
      options: [{ value: '{{pot}}', image: 'javascript:alert(1)' }, 'b'],
      columns: 'many',
      shufle: true,
    }
    expect(findingsOf(component)).toMatchObject({
      issues: expect.arrayContaining([
        { path: `${at}/options/0/image`, message: expect.stringContaining('https://') },
        { path: `${at}/shufle`, message: expect.stringContaining('shuffle') },
      ]),
    })
  })

  test('what plays is followed by the server, so that only its address may be found', () => {
    expect(
      findingsOf({ type: 'audio', src: '/sounds/{{pot}}.mp3', loop: { from: 'pot > 1' } }),
    ).toMatchObject({
      issues: [{ path: `${at}/loop` }],
    })
  })
})
