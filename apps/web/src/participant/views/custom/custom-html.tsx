import { evaluateResponse } from '@atrium/contract/components'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { refusalTextOf } from '../../refusal-text.ts'
import { useFrameArrival } from '../frame-arrival.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { NotLoaded } from '../stand-ins.tsx'
import { frameMessageIn } from './frame-message.ts'
import './custom.css'

/**
 * The researcher's own page. An inline frame would inherit our strict content security policy, so the frame loads
 * `/frame.html`, which has its own policy, and receives the page by message. Its origin is opaque (sandbox), so
 * messages to it cannot name an origin; messages from it are recognised by their source window.
 */
export function CustomHtml(props: SettledProps<'custom_html'>) {
  const { component, settings, scene } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(settings.height)
  const isReady = useRef(false)
  const arrival = useFrameArrival()
  const tell = (message: Record<string, unknown>) => frame.current?.contentWindow?.postMessage(message, '*')

  const onMessage = useEffectEvent((event: MessageEvent) => {
    if (event.source === null || event.source !== frame.current?.contentWindow) return
    const message = frameMessageIn(event.data)
    switch (message?.kind) {
      case 'loaded':
        isReady.current = false
        arrival.arrive()
        return tell({ atrium: 'show_page', html: settings.html, face: faceOfPage() })
      case 'ready':
        isReady.current = true
        return tell({ atrium: 'init', id: component.id, data: settings.data, variables: scene.variables })
      case 'respond':
        return void respond(props, message.value).then(tell)
      case 'resize':
        return setHeight(message.height)
    }
  })
  useEffect(() => {
    const listener = (event: MessageEvent) => onMessage(event)
    window.addEventListener('message', listener)
    return () => window.removeEventListener('message', listener)
  }, [])

  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const onChange = () => tell({ atrium: 'face', face: faceOfPage() })
    dark.addEventListener('change', onChange)
    return () => dark.removeEventListener('change', onChange)
  })

  const variables = JSON.stringify(scene.variables)
  useEffect(() => {
    if (!isReady.current) return
    frame.current?.contentWindow?.postMessage({ atrium: 'variables', variables: JSON.parse(variables) }, '*')
  }, [variables])

  if (arrival.isMissing) return <NotLoaded {...props} />
  return (
    <iframe
      ref={frame}
      onLoad={arrival.onLoad}
      className="custom-frame"
      title={texts().views.customHtml.title(component.id)}
      sandbox="allow-scripts"
      src="/frame.html"
      referrerPolicy="no-referrer"
      style={{ height }}
    />
  )
}

/** The tokens of this page, with the accent of the study, for a page that has no colours of its own. */
function faceOfPage(): Record<string, string> {
  const style = getComputedStyle(document.documentElement)
  const names = [
    'paper',
    'surface',
    'ink',
    'quiet-ink',
    'line',
    'strong-line',
    'accent',
    'on-accent',
    'radius',
    'touch',
  ]
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`)]))
}

/** Checked here first: what the contract refuses, e.g. because of its size, need not be sent. */
async function respond({ component, send }: SettledProps<'custom_html'>, value: unknown) {
  if (value === undefined) return { atrium: 'refused', message: texts().views.customHtml.notJson }
  const verdict = evaluateResponse(component, value, { elapsedMs: 0, attempt: 1 })
  if (verdict.kind === 'refused') return { atrium: 'refused', message: verdict.message }
  try {
    await send(value)
    return { atrium: 'recorded' }
  } catch (error) {
    return { atrium: 'refused', message: refusalTextOf(error) }
  }
}
