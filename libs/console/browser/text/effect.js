/** The known effect of a call. The declaration of an operation says whether its effect is destructive. The platform does not know the endpoint of a custom operation. @param {Pick<import('@action-platform/contracts/resources').Approval, 'isDestructive' | 'operation'>} approval @returns {{ title: string, text: string }} */
export function effectOf({ isDestructive, operation }) {
  const isCustom = operation.startsWith('custom.');
  const leaves =
    'The call leaves the platform: it goes to an endpoint of your company, whose effect the platform does not know.';
  if (isDestructive)
    return {
      title: 'This cannot be undone.',
      text: isCustom ? leaves : 'Its declaration says that it destroys something for good.',
    };
  return isCustom
    ? { title: 'It calls your own endpoint.', text: `${leaves} It is not declared destructive.` }
    : { title: 'It is not declared destructive.', text: changeOf(operation) };
}

/** Where the calls of an operation go. @param {{ url?: string, target?: any }} definition */
export const goesTo = ({ url, target }) =>
  url ?? `${target.connector}: ${target.tool ?? `${target.method.toUpperCase()} ${target.path}`}`;

/** @param {string} operation */
const changeOf = (operation) =>
  operation.startsWith('mail.')
    ? 'It makes a draft in the mailbox, which a person sends.'
    : 'What it writes is a change of the Workspace that its log and, for Records, their history keep.';
