import { Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { PageSkeleton } from '../feedback/loaded.tsx'
import { TryButton } from '../try/try-button.tsx'
import { stateIdsIn } from './core/parts.ts'
import { saveFile, useImport } from './files.ts'
import { FlowPicture } from './flow/flow-picture.tsx'
import { FormToolsProvider, type Target, useFocusOn } from './form/form-tools.tsx'
import { Inspector } from './inspector.tsx'
import { Notices } from './notices.tsx'
import { Outline } from './outline/outline.tsx'
import { Preview } from './preview/preview.tsx'
import { indexProblems } from './problems/problem-index.ts'
import { ProblemList } from './problems/problem-list.tsx'
import { firstState, type Selection, selectionFor, selectionIn } from './sections.ts'
import { Toolbar, type View } from './toolbar.tsx'
import { useCheckedDocument } from './use-checked-document.ts'
import { useDrafts } from './use-drafts.ts'
import { useFormTools } from './use-form-tools.ts'
import { useOutlineActions } from './use-outline-actions.ts'
import { usePublish } from './use-publish.ts'
import { type BuiltExperiment, isUnsaved, redone, undone, type Work } from './work.ts'

const CodeView = lazy(() => import('./code/code-view.tsx'))

interface BuilderProps {
  experiment: BuiltExperiment
  work: Work
  setWork: (change: (work: Work) => Work) => void
  isReadOnly: boolean
}

/** One document, several views of it, and what is wrong with it. */
export function Builder({ experiment, work, setWork: change, isReadOnly }: BuilderProps) {
  const { experimentId, revision, definition } = experiment
  const goal = goalOf(useHistoryState<unknown>())
  const setWork = useStable(change)
  const { history } = work
  const document = history.present
  const [view, setView] = useState<View>('build')
  const [chosen, setSelection] = useState<Selection>(() =>
    goal === undefined ? firstState(document) : selectionFor(goal),
  )
  const selection = selectionIn(document, chosen)
  const [target, setTarget] = useState<Target | undefined>(goal === undefined ? undefined : { at: goal })
  const [isDiscarding, setDiscarding] = useState(false)
  const goTo = useCallback((at: string) => {
    setSelection(selectionFor(at))
    setTarget({ at })
  }, [])
  const publishing = usePublish({ experimentId, revision, definition, work, setWork })
  const drafts = useDrafts({ experimentId, work, setWork, isPaused: isReadOnly || publishing.isPublishing })
  const check = useCheckedDocument(experimentId, document, isReadOnly)
  const findings = publishing.refused.length > 0 ? publishing.refused : check.findings
  const problems = useMemo(() => indexProblems(findings), [findings])
  const actions = useOutlineActions(document, setWork, setSelection)
  const publishedStates = useMemo(() => new Set(stateIdsIn(definition)), [definition])
  const tools = useFormTools({
    document,
    publishedStates,
    setWork,
    problems,
    target,
    onTarget: goTo,
    isReadOnly,
  })
  const importFile = useImport(setWork)
  useFocusOn(target)
  const undo = () => setWork(undone)
  const redo = () => setWork(redone)
  useHotkeys(
    isReadOnly
      ? []
      : [
          ['mod+z', undo],
          ['mod+shift+z', redo],
          ['mod+y', redo],
        ],
    [],
  )
  const isUnchanged = work.savedAt === undefined && !isUnsaved(work)
  const isPublished = experiment.isPublished && isUnchanged
  const text = texts().builder
  const goFromList = (at: string) => {
    if (view === 'flow') setView('build')
    goTo(at)
  }
  const outline = (
    <Outline
      document={document}
      selection={selection}
      onSelect={setSelection}
      problems={problems}
      actions={actions}
      isReadOnly={isReadOnly}
    />
  )
  const inspector = <Inspector document={document} selection={selection} onJoinStages={actions.join} />
  return (
    <FormToolsProvider value={tools}>
      <Stack>
        <Toolbar
          view={view}
          onView={setView}
          isReadOnly={isReadOnly}
          canUndo={history.past.length > 0}
          canRedo={history.future.length > 0}
          onUndo={undo}
          onRedo={redo}
          tryButton={
            experiment.status !== 'archived' && (
              <TryButton
                experimentId={experimentId}
                document={document}
                isValid={check.isValid || isReadOnly}
              />
            )
          }
          canPublish={check.isValid && !isPublished && !drafts.isSaving && work.rival === undefined}
          whyNot={isPublished ? text.nothingToPublish : check.isValid ? undefined : text.cannotPublish}
          isPublishing={publishing.isPublishing}
          onPublish={publishing.publish}
          onExport={() => saveFile(document)}
          onImport={importFile}
          onDiscard={
            isReadOnly || isUnchanged || !experiment.isPublished ? undefined : () => setDiscarding(true)
          }
        />
        <Notices
          experiment={experiment}
          work={work}
          setWork={setWork}
          isReadOnly={isReadOnly}
          isSaving={drafts.isSaving}
          hasFailed={drafts.hasFailed}
          onShowTheirs={() => void drafts.showTheirs()}
        />
        {!isReadOnly && (
          <ProblemList
            document={document}
            findings={findings}
            notes={check.notes}
            state={check.state}
            onRetry={check.again}
            onGo={goFromList}
          />
        )}
        {view === 'code' ? (
          <Suspense fallback={<PageSkeleton />}>
            <CodeView
              document={document}
              setWork={setWork}
              findings={findings}
              isReadOnly={isReadOnly}
              target={target}
            />
          </Suspense>
        ) : (
          <div
            className="builder-grid"
            data-view={view}
            data-preview={view === 'build' && selection.kind === 'state'}
          >
            {outline}
            {view === 'flow' && (
              <div className="builder-side">
                <FlowPicture
                  document={document}
                  selected={placeOfSelection(selection)}
                  hasProblems={(at) => problems.within(at).some(({ level }) => level === 'error')}
                  onSelect={(at) => setSelection(selectionFor(at))}
                />
              </div>
            )}
            <div className="builder-inspector">{inspector}</div>
            {view === 'build' && selection.kind === 'state' && (
              <aside className="builder-side" aria-label={text.preview.title}>
                <Preview document={document} at={selection.at} />
              </aside>
            )}
          </div>
        )}
      </Stack>
      <ConfirmDialog
        isOpen={isDiscarding}
        title={text.discardTitle}
        confirmLabel={text.discard}
        isDangerous
        onConfirm={() => {
          setDiscarding(false)
          void publishing.discard()
        }}
        onCancel={() => setDiscarding(false)}
      >
        <Text>{text.discardMessage(work.basedOn)}</Text>
      </ConfirmDialog>
    </FormToolsProvider>
  )
}

const placeOfSelection = (selection: Selection): string | undefined =>
  selection.kind === 'state'
    ? selection.at
    : selection.kind === 'stage'
      ? `/stages/${selection.at}`
      : undefined

/** The place that a link led to, such as a problem among those that keep the study from starting. */
function goalOf(state: unknown): string | undefined {
  const { goal } = Object(state) as { goal?: unknown }
  return typeof goal === 'string' ? goal : undefined
}

/** The same function for as long as the builder is open, so that what depends on it is not drawn again. */
function useStable(change: BuilderProps['setWork']): BuilderProps['setWork'] {
  const [stable] = useState(() => change)
  return stable
}
