import { AppError } from '../../kernel/app-error.ts'

/**
 * The same for every address: whether it is private, does not exist or does not answer is nobody's business, because
 * the differences would map the network that we are in. It therefore has neither details nor a cause.
 */
export const addressRefused = (): AppError => new AppError('AGENT_ADDRESS_REFUSED')
