import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { completeDefinition } from './completion.ts'

/** The colours are custom properties, so that they follow the scheme of the page. */
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--builder-code-name)' },
  { tag: tags.string, color: 'var(--builder-code-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--builder-code-value)' },
])

export interface EditorEvents {
  onChange: (text: string) => void
  /** The editor loses the focus. */
  onLeave: (text: string) => void
  onUndo: () => void
  onRedo: () => void
}

export interface EditorWords {
  label: string
}

/** JSON with line numbers, colours, folding, search and completion. Its undo is the builder’s, which spans all views. */
export const editorExtensions = (
  { onChange, onLeave, onUndo, onRedo }: EditorEvents,
  { label }: EditorWords,
  isReadOnly: boolean,
): Extension[] => [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
  EditorState.tabSize.of(2),
  EditorState.readOnly.of(isReadOnly),
  json(),
  syntaxHighlighting(colours),
  autocompletion({ override: [completeDefinition], activateOnTyping: true }),
  keymap.of([
    { key: 'Mod-z', run: handled(onUndo), preventDefault: true },
    { key: 'Mod-y', run: handled(onRedo), preventDefault: true },
    { key: 'Mod-Shift-z', run: handled(onRedo), preventDefault: true },
    ...completionKeymap,
    ...foldKeymap,
    ...searchKeymap,
    ...lintKeymap,
    ...defaultKeymap,
    // Escape, then Tab leaves the editor, for people who use only the keyboard.
    indentWithTab,
  ]),
  EditorView.lineWrapping,
  EditorView.domEventHandlers({ blur: (_event, view) => onLeave(view.state.doc.toString()) }),
  EditorView.contentAttributes.of({
    'aria-label': label,
    tabindex: '0',
    spellcheck: 'false',
    ...(isReadOnly && { 'aria-readonly': 'true' }),
  }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged && !update.transactions.some((each) => each.isUserEvent('builder')))
      onChange(update.state.doc.toString())
  }),
]

const handled = (run: () => void) => () => {
  run()
  return true
}

/** Replaces the text by that of another view, from the first letter to the last that differ: the cursor stays where it is. */
export function showText(view: EditorView, text: string): void {
  const shown = view.state.doc.toString()
  if (shown === text) return
  let from = 0
  while (from < shown.length && shown[from] === text[from]) from += 1
  let [end, newEnd] = [shown.length, text.length]
  while (end > from && newEnd > from && shown[end - 1] === text[newEnd - 1]) {
    end -= 1
    newEnd -= 1
  }
  view.dispatch({ changes: { from, to: end, insert: text.slice(from, newEnd) }, userEvent: 'builder' })
}
