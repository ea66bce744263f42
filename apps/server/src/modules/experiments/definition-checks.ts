import type {
  DefinitionChecked,
  DefinitionFinding,
  ExperimentDefinition,
  TrialRow,
  ValidationIssue,
} from '@atrium/contract'
import { studyOf, withRows } from '@atrium/contract'
import { balanceNotes } from '@atrium/definition-checks'
import { issuesIn } from '../../kernel/app-error.ts'
import type { CheckedDefinition, HeavyWork } from '../../ports/heavy-work.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import { refuseOversized } from './parse-definition.ts'

export interface DefinitionCheckDeps {
  heavyWork: HeavyWork
  /** R66: of the uploaded tables that a definition names, valid or not, and that its author may use. */
  rowsFor(definition: unknown, author: Identity): Promise<Map<string, TrialRow[]>>
  /**
   * Throws, with the paths, if a definition names a video, picture or sound that its author may not see, or one of the wrong
   * kind; `null`: a new experiment.
   */
  refuseHiddenMedia(
    definition: ExperimentDefinition,
    author: Identity,
    experimentId: string | null,
  ): Promise<void>
  /** Throws, with the paths, if a definition names a credential that its author may not use there; `null`: a new experiment. */
  refuseHiddenCredentials(
    definition: ExperimentDefinition,
    author: Identity,
    experimentId: string | null,
  ): Promise<void>
  /** About videos that cannot be played yet. */
  warningsAboutVideos(definition: ExperimentDefinition): Promise<ValidationIssue[]>
}

export interface DefinitionChecks {
  check(
    body: unknown,
    author: Identity,
    experimentId: string | null,
  ): Promise<CheckedDefinition & { notes: ValidationIssue[] }>
  /** What saving would refuse or warn about. */
  findings(body: unknown, author: Identity, experimentId: string | null): Promise<DefinitionChecked>
}

/** The check before saving, and the same check for those who only want to know. */
export function createDefinitionChecks({ heavyWork, ...named }: DefinitionCheckDeps): DefinitionChecks {
  async function check(
    body: unknown,
    author: Identity,
    experimentId: string | null,
  ): Promise<CheckedDefinition & { notes: ValidationIssue[] }> {
    const rows = await named.rowsFor(body, author)
    const { definition, warnings } = await heavyWork.checkDefinition(body, actorOf(author), rows)
    const study = studyOf(definition)
    const filled = withRows(study, rows)
    await named.refuseHiddenMedia(filled, author, experimentId)
    await named.refuseHiddenCredentials(study, author, experimentId)
    const aboutVideos = await named.warningsAboutVideos(study)
    return {
      definition,
      warnings: [...warnings, ...aboutVideos],
      notes: balanceNotes(filled),
    }
  }

  return {
    check,
    async findings(body, author, experimentId) {
      try {
        refuseOversized(body)
        const { warnings, notes } = await check(body, author, experimentId)
        return { isValid: true, findings: [...atLevel('warning', warnings), ...atLevel('note', notes)] }
      } catch (error) {
        return { isValid: false, findings: atLevel('error', issuesIn(error)) }
      }
    },
  }
}

const atLevel = (
  level: DefinitionFinding['level'],
  issues: readonly ValidationIssue[],
): DefinitionFinding[] => issues.map(({ path, message }) => ({ level, path, message }))
