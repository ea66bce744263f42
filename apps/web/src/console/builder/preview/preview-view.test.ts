import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from '../../../participant/views/display/markdown.tsx'
import { previewOf } from './preview-view.ts'

test('[R61] conditions on answers of the page are decided there, and what depends on values is shown', () => {
  const options = ['a', { value: 'b', when: "answers.work == 'yes'" }]
  const definition = {
    name: 'Previewed',
    variables: { score: 0 },
    states: [
      {
        id: 'a',
        components: [
          { id: 'work', type: 'dropdown', ...{ options: ['yes', 'no'] } },
          { id: 'hours', type: 'slider', when: "answers.work == 'yes'" },
          { id: 'why', type: 'text_input', when: 'score > 3' },
          { id: 'pick', type: 'dropdown', ...{ options } },
        ],
      },
    ],
  }
  const when = expect.objectContaining({ kind: 'binary' })
  expect(previewOf({ definition, at: 0, role: null }, 0)?.state?.components).toEqual([
    { id: 'work', type: 'dropdown', options: ['yes', 'no'] },
    { id: 'hours', type: 'slider', when },
    { id: 'why', type: 'text_input' },
    { id: 'pick', type: 'dropdown', options: ['a', { value: 'b', when }] },
  ])
})

test('[AD4] a variable in a previewed text is text, so that no picture in its first value is loaded', () => {
  const address = 'https://elsewhere.example/who-looks.png'
  const definition = {
    name: 'Previewed',
    variables: { whole: `![x](${address})`, mark: '!', given: '*7*' },
    states: [
      {
        id: 'a',
        name: 'You gave {{given}}',
        instructions: '{{whole}}',
        components: [
          { id: 't', type: 'text', text: `{{mark}}[x](${address}) and {{whole}}` },
          { id: 'p', type: 'text', format: 'plain', text: 'You gave {{given}}' },
        ],
      },
    ],
  }
  const state = previewOf({ definition, at: 0, role: null }, 0)?.state
  const [text, plain] = (state?.components ?? []) as unknown as { text: string }[]
  for (const shown of [state?.instructions ?? '', text?.text ?? '']) {
    expect(shown).toContain('elsewhere')
    expect(renderToStaticMarkup(createElement(Markdown, { text: shown }))).not.toContain('<img')
  }
  expect(plain?.text).toBe('You gave *7*')
  expect(state?.name).toBe('You gave *7*')
})
