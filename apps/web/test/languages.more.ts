import type { ExperimentDefinition } from '@atrium/contract'
import { describeInOneMode } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, type Person, useBrowser } from './people.ts'

/** Two people with different languages trade. Its texts hold values, one of which a participant writes. */
const trade = {
  name: { en: 'A trade', de: 'Ein Handel', ar: 'صفقة' },
  languages: ['en', 'de', 'ar'],
  roles: [
    { id: 'seller', name: { en: 'Seller', de: 'Verkäuferin', ar: 'البائع' }, min: 1, max: 1 },
    { id: 'buyer', name: { en: 'Buyer', de: 'Käufer', ar: 'المشتري' }, min: 1, max: 1 },
  ],
  matching: { groupSize: 2 },
  variables: {
    price: { scope: 'participant', initial: 0 },
    reason: { scope: 'room', initial: '' },
    rounds: 3,
    agreed: { compute: 'sum(responses.price)' },
  },
  consent: { text: { en: 'Do you agree?', de: 'Stimmen Sie zu?', ar: 'هل توافق؟' } },
  states: [
    {
      id: 'check',
      name: { en: 'Rules', de: 'Regeln', ar: 'القواعد' },
      components: [
        {
          id: 'rules',
          type: 'instructions',
          text: {
            en: '{{rounds | one: "# round", other: "# rounds"}}',
            de: '{{rounds | one: "# Runde", other: "# Runden"}}',
            ar: '{{rounds | zero: "لا جولات", one: "جولة واحدة", two: "جولتان", few: "# جولات", many: "# جولة", other: "# جولة"}}',
          },
          questions: [
            {
              id: 'how',
              label: { en: 'How many?', de: 'Wie viele?', ar: 'كم عددها؟' },
              options: ['2', '3'],
              correct: '3',
            },
          ],
        },
      ],
    },
    {
      id: 'offer',
      name: { en: 'Offer', de: 'Angebot', ar: 'العرض' },
      components: [
        { id: 'talk', type: 'chat', label: { en: 'Talk', de: 'Gespräch', ar: 'محادثة' } },
        {
          id: 'price',
          type: 'text_input',
          kind: 'number',
          min: 1,
          max: 5_000,
          label: { en: 'Price', de: 'Preis', ar: 'السعر' },
          saveTo: 'price',
        },
        {
          id: 'why',
          type: 'text_input',
          label: { en: 'Why?', de: 'Warum?', ar: 'لماذا؟' },
          roles: ['seller'],
          saveTo: 'reason',
        },
      ],
    },
    {
      id: 'result',
      name: { en: 'Result', de: 'Ergebnis', ar: 'النتيجة' },
      instructions: {
        en: 'In all **{{agreed | EUR}}**, because: {{reason}}. The other: {{others.price}}',
        de: 'Zusammen **{{agreed | EUR}}**, weil: {{reason}}. Andere: {{others.price}}',
        ar: 'المجموع **{{agreed | EUR}}** لأن: {{reason}}. الآخر: {{others.price}}',
      },
      components: [],
    },
  ],
  completion: { codes: { SUCCESS: 'TRADE-1' } },
}

/** What the pages say, for those who click. */
const words = {
  de: {
    agree: 'Ich stimme zu',
    check: 'Antworten prüfen',
    right: 'Alle Antworten sind richtig',
    next: 'Weiter',
  },
  ar: { agree: 'أوافق', check: 'التحقق من إجاباتي', right: 'كل الإجابات صحيحة', next: 'متابعة' },
} as const

type Language = keyof typeof words

async function arrive({ page }: Person, link: string, language: Language): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: words[language].agree, exact: true }).waitFor()
  await expectGoodPage(page, `the consent in ${language}`)
  await page.getByRole('button', { name: words[language].agree, exact: true }).click()
}

async function passCheck(page: Page, language: Language): Promise<void> {
  const { check, right, next } = words[language]
  await page.getByLabel('3', { exact: true }).check()
  await page.getByRole('button', { name: check }).click()
  // The verdict stays until they go on.
  await page.getByText(right).waitFor()
  await expectGoodPage(page, `the check in ${language}`)
  expect(await page.getByText(right).isVisible()).toBe(true)
  await page.getByRole('button', { name: next, exact: true }).click()
}

const directionOf = (page: Page) =>
  page.evaluate(() => {
    const { lang, dir } = document.documentElement
    return { lang, dir, laidOut: getComputedStyle(document.body).direction }
  })

describeInOneMode('a study in two languages', (world) => {
  const browser = useBrowser()

  test('two people go from the link to the code, each in their own language', async () => {
    // The type of a definition has plain texts, because that is what everything but its author reads.
    const study = await openStudy(world(), trade as unknown as ExperimentDefinition)
    const seller = await createPersonWithBrowser(browser(), { locale: 'de-AT' })
    const buyer = await createPersonWithBrowser(browser(), { locale: 'en-GB' })
    await arrive(seller, `${study.link}?participant=s&role=seller`, 'de')
    await seller.page.getByRole('button', { name: 'Nicht länger warten' }).waitFor()
    await expectGoodPage(seller.page, 'the waiting room in German')
    // The link may ask for a language, whatever the browser prefers.
    await arrive(buyer, `${study.link}?participant=b&role=buyer&lang=ar`, 'ar')

    await seller.page.getByRole('heading', { name: 'Regeln' }).waitFor()
    await buyer.page.getByRole('heading', { name: 'القواعد' }).waitFor()
    expect(await directionOf(seller.page)).toEqual({ lang: 'de', dir: 'ltr', laidOut: 'ltr' })
    expect(await directionOf(buyer.page)).toEqual({ lang: 'ar', dir: 'rtl', laidOut: 'rtl' })
    expect(await seller.page.title()).toContain('Ein Handel')
    await seller.page.getByText('3 Runden').waitFor()
    await buyer.page.getByText('3 جولات').waitFor()
    await passCheck(seller.page, 'de')
    await passCheck(buyer.page, 'ar')

    await seller.page.getByRole('heading', { name: 'Angebot' }).waitFor()
    await seller.page.getByLabel('Ihre Nachricht').fill('Guten Tag')
    await seller.page.getByRole('button', { name: 'Senden' }).click()
    // Others are called by their role, in the reader’s language.
    await buyer.page.locator('.chat-line', { hasText: 'Guten Tag' }).getByText('البائع').waitFor()
    await expectGoodPage(buyer.page, 'the chat in Arabic')
    await seller.page.getByLabel('Preis').fill('1200')
    await seller.page.getByLabel('Warum?').fill('[billig](https://evil.example) *und* <b>gut</b>')
    await seller.page.getByRole('button', { name: 'Weiter', exact: true }).click()
    await seller.page.getByText('Gespeichert.').waitFor()
    await buyer.page.getByLabel('السعر').fill('34.5')
    await buyer.page.getByRole('button', { name: 'متابعة', exact: true }).click()

    // Each reads the numbers as their language writes them; what somebody wrote stays text.
    await seller.page.getByText(/1\.234,50\s€/).waitFor()
    await buyer.page.getByText(/1,234\.50/).waitFor()
    for (const { page } of [seller, buyer]) {
      await page.getByText('[billig](https://evil.example) *und* <b>gut</b>').waitFor()
      expect(
        await page.locator('.state-instructions a, .state-instructions b, .state-instructions em').count(),
      ).toBe(0)
    }
    await seller.page.getByText('Andere: 34,5').waitFor()
    await expectGoodPage(buyer.page, 'the result in Arabic')
    await seller.page.getByRole('button', { name: 'Weiter', exact: true }).click()
    await buyer.page.getByRole('button', { name: 'متابعة', exact: true }).click()
    for (const { page } of [seller, buyer]) await page.getByText('TRADE-1').waitFor()
    await buyer.page.getByText('لقد أكملت الدراسة. شكرًا على مشاركتك.').waitFor()
    await expectGoodPage(buyer.page, 'the ending in Arabic')
    // Whoever comes back reads the same.
    await buyer.page.goto(`${study.link}?participant=b&role=buyer`)
    await buyer.page.getByText('لقد أكملت الدراسة. شكرًا على مشاركتك.').waitFor()
    expect(await directionOf(buyer.page)).toMatchObject({ lang: 'ar', dir: 'rtl' })

    const lines = await study.exported()
    const checks = lines.filter(({ componentId }) => componentId === 'rules')
    expect(checks.map(({ data }) => data)).toMatchObject([
      { value: { answers: { how: '3' } } },
      { value: { answers: { how: '3' } } },
    ])
    // Coming back to a study that is over is refused, which the page expects.
    expect([...seller.pageErrors, ...buyer.pageErrors].filter((error) => !error.includes('409'))).toEqual([])
    await seller.leave()
    await buyer.leave()
  })
})
