import { parseTemplate } from '@atrium/expressions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'
import { checkTexts } from './check-texts.ts'
import { declaredNamesOf } from './definition-names.ts'

const study = (text: unknown, more: object = {}) => ({
  name: 'Study',
  matching: { groupSize: 2 },
  variables: {
    pot: 0,
    given: { scope: 'participant' },
    key: { secret: true },
    own: { scope: 'participant', secret: true },
  },
  states: [{ id: 's', components: [{ id: 't', type: 'text', text }] }],
  ...more,
})

const issuesOf = (definition: object): unknown => {
  const checked = checkOnSaving(definition)
  return 'issues' in checked ? checked : checked.warnings
}

const at = '/states/0/components/0/text'

test.each([
  ['{{pots}}', 'variable ‘pots’ does not exist; did you mean ‘pot’?'],
  ['{{key}}', 'variable ‘key’ is secret'],
  ['{{others.own}}', 'variable ‘own’ is secret'],
  ['{{others.pot}}', '‘pot’ is not a participant variable'],
  ['{{others[pot]}}', 'needs the name of a participant variable'],
  ['{{response.nothing}}', 'component ‘nothing’ does not exist'],
  ['{{pot', 'is never closed'],
  ['[here]({{pot}})', 'the address of a link'],
  ['[x]: {{pot}}', 'the address of a link'],
  ['https://example.org/{{pot}}', 'the address of a link'],
])('[F33] “%s” is refused, with its path', (text, message) => {
  expect(issuesOf(study(text))).toMatchObject({
    issues: [{ path: at, message: expect.stringContaining(message) }],
  })
})

test.each([
  '{{pot}}',
  '{{others.given}} {{self.given | 0.00}}',
  '{{mean(others.given)}}',
  '{{round}} {{role}}',
])('[F33] “%s” is accepted', (text) => {
  expect(issuesOf(study(text))).toEqual([])
})

test('[RM263] texts list the others in groups of up to 50, and show figures of them in larger ones', () => {
  const inGroupsOf = (groupSize: number, text: string) => issuesOf(study(text, { matching: { groupSize } }))
  const lists = [
    '{{others.given}}',
    '{{join(others.role)}}',
    '{{mean(sort(others.given))}}',
    '{{at(others.alias, 0)}}',
  ]
  const figures = [
    '{{mean(others.given) | 0.0}}',
    "{{count(others.role, 'buyer') / count(others.role)}}",
    '{{median(others.given)}} {{max(others.given)}} {{length(others.alias)}}',
  ]
  for (const text of [...lists, ...figures]) expect(inGroupsOf(50, text)).toEqual([])
  for (const text of figures) expect(inGroupsOf(500, text)).toEqual([])
  for (const text of lists)
    expect(inGroupsOf(51, text)).toMatchObject({
      issues: [{ path: at, message: expect.stringContaining('texts list the others in groups of up to 50') }],
    })
})

test('[F33] there are no values before a room', () => {
  expect(issuesOf(study('', { name: 'About {{pot}}', consent: { text: '{{pot}}' } }))).toMatchObject({
    issues: [{ path: '/name' }, { path: '/consent/text' }],
  })
})

test('[F34] a text that lacks a language is refused; one for all of them is a warning', () => {
  const languages = ['en', 'de']
  expect(issuesOf(study({ en: 'Hello' }, { languages, name: { en: 'Study', de: 'Studie' } }))).toMatchObject({
    issues: [{ path: at, message: 'has no text in ‘de’' }],
  })
  expect(issuesOf(study({ en: 'Hello', de: 'Hallo', fr: 'Salut' }, { languages }))).toMatchObject({
    issues: [{ path: `${at}/fr`, message: '‘fr’ is not one of the languages' }],
  })
  expect(issuesOf(study({ en: 'Hello', de: 'Hallo' }))).toMatchObject({
    issues: [{ path: at, message: expect.stringContaining('no ‘languages’') }],
  })
  expect(issuesOf(study('Hello', { languages, name: { en: 'Study', de: 'Studie' } }))).toEqual([
    { path: at, message: 'is the same in every language (en, de)' },
  ])
})

test('[F34] every language is checked', () => {
  expect(issuesOf(study({ en: '{{pot}}', de: '{{topf}}' }, { languages: ['en', 'de'] }))).toMatchObject({
    issues: [{ path: at, message: expect.stringContaining('‘topf’ does not exist') }],
  })
  const forms = '{{pot | one: "a", other: "b"}}'
  expect(
    issuesOf(study({ en: forms, ar: forms }, { languages: ['en', 'ar'], name: { en: 'S', ar: 'س' } })),
  ).toEqual([
    { path: at, message: '‘ar’ has more forms for numbers; ‘other’ is used for zero, two, few, many' },
  ])
})

test('[R40,F34,X7] each distinct text is parsed once, in however many places and languages it stands', () => {
  const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'fi']
  const shared = Array.from({ length: 30 }, (_, index) => ({
    id: `s${index}`,
    type: 'text',
    text: '{{pot}}',
  }))
  const text = Object.fromEntries(languages.map((language) => [language, `${language}: {{pot}}`]))
  const definition = {
    name: 'Study',
    languages,
    variables: { pot: 0 },
    states: [{ id: 's', components: [...shared, { id: 'own', type: 'text', text }] }],
  }
  const parsed: string[] = []
  const found = checkTexts(definition, declaredNamesOf(definition), (one) => {
    parsed.push(one)
    return parseTemplate(one)
  })
  expect(found).toEqual({ errors: [], warnings: [] })
  expect(parsed).toEqual(['{{pot}}', ...Object.values(text)])
})

test('[R40] of a definition that is wrong throughout, no more is parsed than is reported', () => {
  const components = Array.from({ length: 200 }, (_, at) => ({
    id: `t${at}`,
    type: 'text',
    text: `{{x${at}}}`,
  }))
  const definition = { name: 'Study', states: [{ id: 's', components }] }
  let parsed = 0
  const { errors } = checkTexts(definition, declaredNamesOf(definition), (one) => {
    parsed += 1
    return parseTemplate(one)
  })
  expect([errors.length, parsed]).toEqual([100, 100])
})

test('[F34] an option in several languages needs a value of its own', () => {
  const options = [{ en: 'Yes', de: 'Ja' }, 'no']
  const components = [{ id: 'q', type: 'multiple_choice', label: { en: 'A?', de: 'A?' }, options }]
  const definition = { name: '1', languages: ['en', 'de'], states: [{ id: 's', components }] }
  expect(issuesOf(definition)).toMatchObject({ issues: [{ path: '/states/0/components/0/options/0/value' }] })
})

test('[F34] a tag that no format of numbers knows is refused, because every room would stop at it', () => {
  const languages = ['en', 'de-DE-DE', 'xx', 'en-ab-cd']
  expect(issuesOf(study('1', { name: '1', languages }))).toMatchObject({
    issues: [
      { path: '/languages/1', message: '‘de-DE-DE’ is not a language tag, such as ‘de’ or ‘pt-BR’' },
      { path: '/languages/3' },
    ],
  })
  expect(issuesOf(study('1', { name: '1', languages: ['en', 'pt-BR', 'zh-Hans-CN', 'xx'] }))).toEqual([])
})

const choice = (options: unknown[], more: object = {}) => ({
  ...study('1', { name: '1', ...more }),
  states: [{ id: 's', components: [{ id: 'q', type: 'multiple_choice', options }] }],
})

test('[F34] options that read the same in every language are a warning, once for each list', () => {
  const languages = ['en', 'de']
  expect(issuesOf(choice(['1', 'yes', 'no'], { languages }))).toEqual([
    {
      path: '/states/0/components/0/options/1',
      message: '‘yes’ is the same in every language (en, de); give the option a value, and a label in each',
    },
  ])
  expect(issuesOf(choice(['yes', 'no']))).toEqual([])
  expect(issuesOf(choice([{ value: 'yes', label: { en: 'Yes', de: 'Ja' } }, 2], { languages }))).toEqual([])
})

test.each([
  ['You have `{{pot}}` points.', true],
  ['```\n{{pot}}\n```', true],
  ['`` a ` {{pot}} ``', true],
  ['`code` {{pot}} `code`', false],
  ['a ` alone, {{pot}}', false],
])('[F33] in %j, a value is in code: %s', (text, isInCode) => {
  expect(issuesOf(study(text))).toEqual(
    isInCode ? [{ path: at, message: 'a value between backticks is shown with backslashes in it' }] : [],
  )
})

test('[F33] a value in an address is found wherever it is, and nowhere else', () => {
  const pattern = /\]\([^)\n]*\{\{|^ {0,3}\[[^\]\n]+\]:[^\n]*\{\{|\b(?:https?:|www\.|mailto:)[^\s)]*\{\{/im
  const unit = fc.constantFrom('[', ']', '(', ')', ':', '{{pot}}', 'HTTP:', 'www.', 'a', ' ', '\n')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      const isFound = JSON.stringify(issuesOf(study(text))).includes('the address of a link')
      expect(isFound).toBe(pattern.test(text))
    }),
  )
})

const texts = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, type: 'text', text }))

test('[F35] a page with more than 1,000 values is refused, and one with more than 100 causes a warning', () => {
  const page = (count: number, more: object = {}) =>
    issuesOf(study('x', { states: [{ id: 's', components: texts(count, '{{pot}}'.repeat(50)) }], ...more }))
  expect(page(2)).toEqual([])
  expect(page(3)).toMatchObject([{ path: '/states/0', message: expect.stringContaining('150 values') }])
  expect(page(20)).toMatchObject([{ path: '/states/0' }])
  const refused = {
    issues: [{ path: '/states/0', message: expect.stringContaining('more than 1000 values') }],
  }
  expect(page(21)).toMatchObject(refused)
  const globalComponents = [{ id: 'g', type: 'text', text: '{{pot}}' }]
  expect(page(20, { globalComponents })).toMatchObject(refused)
})

test('[F35] values in texts may have 150,000 characters', () => {
  const states = Array.from({ length: 2 }, (_, index) => ({
    id: `s${index}`,
    components: texts(40, `{{pot${' '.repeat(1_950)}}}`),
  }))
  expect(issuesOf(study('x', { states }))).toMatchObject({
    issues: [{ path: '', message: expect.stringContaining('150000 characters in {{…}}') }],
  })
})

test('[F35] a page that is too long to be sent to a whole group at once causes a warning', () => {
  const inGroupsOf = (groupSize: number, text: string) =>
    issuesOf(study(text + 'x'.repeat(18_000), { matching: { groupSize } }))
  expect(inGroupsOf(50, '{{pot}}')).toEqual([])
  expect(inGroupsOf(100, '')).toEqual([])
  expect(inGroupsOf(100, '{{pot}}')).toMatchObject([
    { path: '/states/0', message: expect.stringContaining('100 people') },
  ])
})
