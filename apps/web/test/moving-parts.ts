import type { Page } from 'playwright-core'

/** What moves by itself on the page at this moment: the classes of the elements, or `unknown`. */
export const movingParts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => {
        const { duration = 0 } = effect?.getComputedTiming() ?? {}
        return playState === 'running' && Number(duration) > 1
      })
      .map(({ effect }) =>
        effect instanceof KeyframeEffect ? String(effect.target?.getAttribute('class')) : 'unknown',
      ),
  )
