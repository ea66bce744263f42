// The commands of every page but the first, which docs.more.ts follows.
import { describeCommands, firstPage } from './test/docs-pages.ts'

describeCommands(({ name }) => name !== firstPage)
