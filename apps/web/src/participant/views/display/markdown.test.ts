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

test('a text that is nested too deeply is shown as it was written', () => {
  const deep = `${'>'.repeat(20_000)} hello`
  expect(rendered(deep)).toContain('hello</p></div>')
})

test.each([
  ['# Title', '<h2 dir="auto">Title</h2>'],
  ['###### Small', '<h6 dir="auto">Small</h6>'],
  ['**a** *b* ~~c~~ `d`', '<p dir="auto"><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
  ['one\n\ntwo', '<p dir="auto">one</p><p dir="auto">two</p>'],
  ['one  \ntwo', '<p dir="auto">one<br/>two</p>'],
  ['- a\n- b\n  - c', '<ul dir="auto"><li>a</li><li>b<ul dir="auto"><li>c</li></ul></li></ul>'],
  ['3. a\n4. b', '<ol dir="auto" start="3"><li>a</li><li>b</li></ol>'],
  ['- [x] done\n- [ ] open', '<ul dir="auto"><li>☑ done</li><li>☐ open</li></ul>'],
  ['> said', '<blockquote dir="auto"><p dir="auto">said</p></blockquote>'],
  ['```\n<b>\n```', '<pre><code>&lt;b&gt;</code></pre>'],
  ['---', '<hr/>'],
  [
    '| a | b |\n|---|--:|\n| 1 | 2 |',
    '<table><thead><tr><th>a</th><th style="text-align:right">b</th></tr></thead><tbody><tr><td>1</td><td style="text-align:right">2</td></tr></tbody></table>',
  ],
  [
    '[here](https://example.org/?a=1&b=2 "Where")',
    '<p dir="auto"><a href="https://example.org/?a=1&amp;b=2" title="Where" target="_blank" rel="noopener noreferrer">here</a></p>',
  ],
  [
    'https://example.org',
    '<p dir="auto"><a href="https://example.org" target="_blank" rel="noopener noreferrer">https://example.org</a></p>',
  ],
  ['![a cat](/cat.png)', '<p dir="auto"><img src="/cat.png" alt="a cat"/></p>'],
  ['&#228; &#x20ac; \\&#228;', '<p dir="auto">ä € &amp;#228;</p>'],
])('%j is shown as %s', (text, elements) => {
  expect(rendered(text)).toContain(`<div class="markdown">${elements}</div>`)
})

test.each([
  '<script>alert(1)</script>',
  '<b>bold</b> and <img src=x onerror=alert(1)>',
  '<div>\n<iframe src="https://evil.example"></iframe>\n</div>',
  '<!-- a comment -->',
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](java&#10;script:alert(1))',
  '[x](vbscript:x)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x]\n\n[x]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
])('%j makes no element but text', (text) => {
  const tags = elementsOf(text).filter(
    (tag) => !/^<\/?(?:div class="markdown"|div|p dir="auto"|p)>$/.test(tag),
  )
  expect(tags).toEqual([])
})
