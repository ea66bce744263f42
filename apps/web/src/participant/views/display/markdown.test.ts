import { escapeMarkdown } from '@atrium/contract'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

const rendered = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))

/** The elements without the text between them. */
const elementsOf = (text: string) => rendered(text).match(/<[^>]*>/g) ?? []

/** Where a value can stand in a text. */
const around = [
  (value: string) => value,
  (value: string) => `You wrote ${value}.`,
  (value: string) => `**${value}**`,
  (value: string) => `*${value}* and ${value}`,
  (value: string) => `\`${value}\``,
  (value: string) => `# ${value}\n\ntext`,
  (value: string) => `- ${value}\n- ${value}`,
  (value: string) => `1. ${value}`,
  (value: string) => `> ${value}`,
  (value: string) => `[${value}](https://example.org)`,
  (value: string) => `| a | b |\n|---|---|\n| ${value} | c |`,
  (value: string) => `first\n${value}\nlast`,
]

const pieces = fc.constantFrom(
  ...[
    '*',
    '_',
    '`',
    '~~',
    '==',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '!',
    '#',
    '-',
    '+',
    '|',
    '\\',
    '&',
    ';',
    ':',
    '"',
  ],
  ...['\n', '\n\n', '    ', '\t', '---', '===', '```', '1. ', '- [ ] ', '[^1]', '[^1]: ', '$$', '{{', '}}'],
  ...[
    'http://evil.example',
    'www.evil.example',
    'a@evil.example',
    'javascript:',
    '<b>',
    '<!--',
    '&lt;',
    '&#60;',
  ],
  ...[
    '[x](http://evil.example)',
    '![x](http://evil.example/x.png)',
    '<https://evil.example>',
    '[x]: http://e.x',
  ],
  ...['a', 'é', 'ا', ' ', '\u202e', '😀'],
)

test('[property] no value produces an element or a link in the text that shows it', () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 12 }), fc.nat(around.length - 1), (parts, at) => {
      // With a letter on each side: an empty value leaves an empty list entry behind, which is not the value’s doing.
      const value = escapeMarkdown(`a${parts.join('')}z`)
      const place = around[at] ?? String
      expect(elementsOf(place(value)), place(value)).toEqual(elementsOf(place('az')))
    }),
    { numRuns: 3_000 },
  )
})

test('[property] nor does one that begins or ends with a mark', () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 8 }), fc.nat(around.length - 1), (parts, at) => {
      const place = around[at] ?? String
      const links = elementsOf(place(escapeMarkdown(parts.join('')))).filter((tag) =>
        /^<(a|img|script|h1|input)/.test(tag),
      )
      const before = elementsOf(place('az')).filter((tag) => /^<(a|img|script|h1|input)/.test(tag))
      expect(links).toEqual(before)
    }),
    { numRuns: 3_000 },
  )
})

test('a value is shown as it was written', () => {
  expect(rendered(`You wrote ${escapeMarkdown('*all* of <b>it</b> & 1.5 [x](y)')}.`)).toContain(
    'You wrote *all* of &lt;b&gt;it&lt;/b&gt; &amp; 1.5 [x](y).',
  )
})

test('without escaping, the property is false', () => {
  expect(elementsOf('You wrote [x](http://evil.example).')).not.toEqual(elementsOf('You wrote az.'))
})
