import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from '../../../participant/views/display/markdown.tsx'
import { previewOf } from './preview-view.ts'

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
