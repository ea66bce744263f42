import { nameOf, stageOf } from '@atrium/contract'
import { Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { listAt, pathOf, textIn, valueAt } from '../core/document.ts'
import { partOf } from '../core/parts.ts'
import { asDefinition } from '../draft-queries.ts'
import { previewOf } from './preview-view.ts'
import { useUploadedIn } from './uploaded-files.ts'

type Width = 'phone' | 'desktop'
const widths: Readonly<Record<Width, number>> = { phone: 390, desktop: 1_100 }

interface PreviewProps {
  document: unknown
  /** JSON pointer of the state. */
  at: string
}

/** The page of a state as participants see it, beside what is being written. */
export function Preview({ document, at }: PreviewProps) {
  const [width, setWidth] = useState<Width>('phone')
  const [role, setRole] = useState('')
  const roles = listAt(document, [...partOf(pathOf(document, at)), 'roles']).flatMap(
    (each) => textIn(each) ?? textIn(valueAt(each, ['id'])) ?? [],
  )
  const text = texts().builder.preview
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          transitionDuration={0}
          size="xs"
          aria-label={text.width}
          value={width}
          onChange={(value) => setWidth(value === 'phone' ? 'phone' : 'desktop')}
          data={[
            { value: 'phone', label: text.phone },
            { value: 'desktop', label: text.desktop },
          ]}
        />
        {roles.length > 0 && (
          <NativeSelect
            size="xs"
            aria-label={text.role}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value)}
            data={[{ value: '', label: text.everyone }, ...roles]}
          />
        )}
      </Group>
      <Frame document={document} at={at} role={roles.includes(role) ? role : null} width={widths[width]} />
      <Text size="xs" c="dimmed">
        {text.hint}
      </Text>
    </Stack>
  )
}

interface FrameProps {
  document: unknown
  at: string
  role: string | null
  width: number
}

const shownHeight = 640

function Frame({ document, at, role, width }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [room, setRoom] = useState(width)
  const calm = useDeferredValue(document)
  const [openedAt] = useState(() => Date.now())
  const address = useUploadedIn(calm)
  useEffect(() => {
    const receive = ({ origin, source, data }: MessageEvent) => {
      if (
        origin === location.origin &&
        source === frame.current?.contentWindow &&
        data?.kind === 'preview-ready'
      )
        setReady(true)
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [])
  useEffect(() => {
    if (!isReady) return
    const request = requestFor(calm, at, role, openedAt)
    if (!request) return
    const addressed = { ...request, view: address(request.view) }
    frame.current?.contentWindow?.postMessage({ kind: 'preview', request: addressed }, location.origin)
  }, [isReady, calm, at, role, openedAt, address])
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!holder.current) return
    const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width))
    observer.observe(holder.current)
    return () => observer.disconnect()
  }, [])
  const scale = Math.min(1, room / width)
  return (
    <div ref={holder} className="builder-preview" style={{ height: shownHeight }}>
      <iframe
        ref={frame}
        src="/preview"
        title={texts().builder.preview.frame}
        tabIndex={-1}
        style={{ width, height: shownHeight / scale, transform: `scale(${scale})` }}
      />
    </div>
  )
}

/** Undefined while there is nothing to show: a definition is seldom whole while it is written. */
function requestFor(document: unknown, place: string, role: string | null, now: number) {
  try {
    const path = pathOf(document, place)
    const stage = textIn(valueAt(document, [...partOf(path), 'id'])) ?? null
    const definition = stageOf(asDefinition(document), stage)
    const at = Number(path.at(-1))
    const view = previewOf({ definition, at, role }, now)
    const face = { name: nameOf(definition), appearance: definition.appearance }
    return view && { view, face }
  } catch {
    // Its form is wrong somewhere; the list of problems says where, and the last page stays.
    return undefined
  }
}
