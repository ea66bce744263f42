import type { DefinitionFinding } from '@atrium/contract'
import { setDiagnostics } from '@codemirror/lint'
import { EditorView } from '@codemirror/view'
import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { lineAndColumn, placeOf, readJson } from '../../definition/json-places.ts'
import { formatDefinition } from '../files.ts'
import type { Target } from '../form/form-tools.tsx'
import { edited, redone, settled, undone, type Work } from '../work.ts'
import { editorExtensions, showText } from './code-editor.ts'

interface CodeViewProps {
  document: unknown
  setWork: (change: (work: Work) => Work) => void
  findings: readonly DefinitionFinding[]
  isReadOnly: boolean
  target: Target | undefined
}

/** A pause after which further typing is another step to undo. */
const pauseMs = 800
/** Reading a text of this many characters takes long enough to be felt at every key. */
const longText = 50_000
const readingMs = 250

/** The definition as JSON. What can be read is applied at once; what cannot stays here, with the reason. */
export default function CodeView({ document, setWork, findings, isReadOnly, target }: CodeViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  /** What the text in the editor means: another document comes from another view, or from undo. */
  const shown = useRef<unknown>(undefined)
  const [unread, setUnread] = useState<string>()
  useEffect(() => {
    if (!host.current) return
    let pause: ReturnType<typeof setTimeout> | undefined
    let reading: ReturnType<typeof setTimeout> | undefined
    const take = (text: string) => {
      clearTimeout(reading)
      const read = readJson(text)
      setUnread(
        read.ok ? undefined : texts().builder.code.unread(lineAndColumn(text, read.at).line, read.message),
      )
      if (!read.ok) return
      shown.current = read.value
      setWork((work) => edited(work, () => read.value, 'code'))
      clearTimeout(pause)
      pause = setTimeout(() => setWork(settled), pauseMs)
    }
    const onChange = (text: string) => {
      clearTimeout(reading)
      if (text.length < longText) take(text)
      else reading = setTimeout(() => take(text), readingMs)
    }
    // Whoever leaves the editor, for a button or another view, leaves nothing unread behind.
    const onLeave = (text: string) => {
      if (reading !== undefined) take(text)
      reading = undefined
    }
    const events = { onChange, onLeave, onUndo: () => setWork(undone), onRedo: () => setWork(redone) }
    const editor = new EditorView({
      parent: host.current,
      extensions: editorExtensions(events, { label: texts().builder.code.label }, isReadOnly),
    })
    view.current = editor
    shown.current = undefined
    return () => {
      onLeave(editor.state.doc.toString())
      clearTimeout(pause)
      setWork(settled)
      editor.destroy()
    }
  }, [setWork, isReadOnly])
  useEffect(() => {
    if (!view.current || document === shown.current) return
    shown.current = document
    showText(view.current, formatDefinition(document))
    setUnread(undefined)
  }, [document])
  useEffect(() => {
    if (view.current) markFindings(view.current, findings)
  }, [findings])
  useEffect(() => {
    if (view.current && target) goTo(view.current, target.at)
  }, [target])
  return (
    <div>
      <div ref={host} className="builder-code" />
      <Text size="sm" c="var(--mantine-color-error)" role="status" mih={22} mt={4}>
        {unread}
      </Text>
    </div>
  )
}

function markFindings(editor: EditorView, findings: readonly DefinitionFinding[]): void {
  const read = readJson(editor.state.doc.toString())
  if (!read.ok) return
  const diagnostics = findings.map(({ level, path, message }) => ({
    ...placeOf(read.places, path),
    severity: level === 'note' ? ('info' as const) : level,
    message,
  }))
  editor.dispatch(setDiagnostics(editor.state, diagnostics))
}

function goTo(editor: EditorView, at: string): void {
  const read = readJson(editor.state.doc.toString())
  if (!read.ok) return
  const { from } = placeOf(read.places, at)
  editor.dispatch({
    selection: { anchor: from },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  })
  editor.focus()
}
