import type { BrowserWindow } from './browser-window.ts'

interface LayoutShiftEntry extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null }[]
}

/**
 * Everything on the page that moved since it was opened (https://web.dev/articles/cls): a whole study is one document.
 * What moves within half a second of a click or key is expected, and counted apart. Chromium only.
 */
export const layoutShiftIn = (window: BrowserWindow) =>
  window.read(
    () =>
      new Promise<{ unexpected: number; total: number; sources: string[] }>((resolve) => {
        const describe = (node: Node | null) => {
          const element = node instanceof Element ? node : node?.parentElement
          return element ? `${element.tagName.toLowerCase()}.${element.className}` : 'removed'
        }
        const observer = new PerformanceObserver((list) => {
          const all = list.getEntriesByType('layout-shift') as LayoutShiftEntry[]
          const unexpected = all.filter(({ hadRecentInput }) => !hadRecentInput)
          const sum = (entries: LayoutShiftEntry[]) => entries.reduce((total, { value }) => total + value, 0)
          resolve({
            unexpected: sum(unexpected),
            total: sum(all),
            sources: unexpected.map(
              ({ value, startTime, sources }) =>
                `${value.toFixed(4)} at ${Math.round(startTime)} ms: ${sources.map(({ node }) => describe(node)).join(', ')}`,
            ),
          })
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        // Every page has been painted, so there is an entry even where nothing has moved.
        observer.observe({ type: 'paint', buffered: true })
      }),
    undefined,
  )
