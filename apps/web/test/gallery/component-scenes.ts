import type { Component, ExperimentDefinition } from '@atrium/contract'
import { componentTypes } from '@atrium/contract/components'
import { pages } from '../../src/text/en/participant-pages.ts'
import { component } from '../studies.ts'
import type { Scene } from './visit.ts'

const video = { src: '/examples/film.mp4', durationMs: 20_000 }
const picture =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2060%2040'%3E%3Crect%20width='60'%20height='40'%20fill='aliceblue'/%3E%3Ccircle%20cx='22'%20cy='20'%20r='14'%20fill='teal'/%3E%3C/svg%3E"

/** What the example of a type needs to show something without the network. */
const settingsHere: Record<string, Record<string, unknown>> = {
  image: { src: picture, alt: 'A circle', width: 480 },
  hot_spot: { src: picture, alt: 'A circle', regions: undefined },
  payoff: { variable: 'earned' },
  video: video,
  audio: video,
}
/** What stands beside the steps of a study is seen with a step: alone it would be an empty page. */
const aStep: Component[] = [
  component('told', 'text', { text: 'Think of the last seven days.' }),
  component('asked', 'slider', { label: 'How well did you sleep?', min: 0, max: 100 }),
]
const playsWithMedia = ['continuous_rating', 'sparse_rating']

function studyOf(type: string): ExperimentDefinition {
  const declared = componentTypes[type]
  const isRating = playsWithMedia.includes(type)
  const shown = component('it', type, {
    ...declared?.example.settings,
    ...settingsHere[type],
    ...(isRating && { mediaId: 'film' }),
  })
  const isGlobal = declared?.place === 'global'
  const beside: Component[] = isRating ? [component('film', 'video', video)] : []
  return {
    name: 'One of each',
    states: [
      {
        id: 'only',
        name: type.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase()),
        components: isGlobal ? aStep : [...beside, shown],
        end: { on: 'button', afterMs: 600_000 },
      },
      { id: 'bye', components: [] },
    ],
    ...(isGlobal && { globalComponents: [shown] }),
    variables: { earned: { scope: 'participant', initial: 12.5 } },
  }
}

/** Every component type with the settings of its example, as people first see it. */
export const componentScenes: readonly Scene[] = Object.keys(componentTypes).map((type) => ({
  name: `component-${type.replaceAll('_', '-')}`,
  title: `\`${type}\``,
  async reach(visit) {
    const { link } = await visit.openStudy(studyOf(type))
    const page = await visit.someoneAt(link)
    await page.locator('[data-component="it"] > *').first().waitFor()
    // Rare views are loaded when they are needed.
    await page.getByText(pages.loading, { exact: true }).waitFor({ state: 'hidden' })
    return page
  },
}))
