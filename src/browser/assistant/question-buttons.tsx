/** Renders buttons that each send a question. */

interface QuestionButtonsProps {
  /** Accessible name of the list. */
  name: string;
  /** Text of each button, and the question that it sends. */
  questions: readonly { text: string; question: string }[];
  send(question: string): void;
}

export function QuestionButtons({ name, questions, send }: QuestionButtonsProps) {
  if (questions.length === 0) return null;
  return (
    <ul class="o-starters" aria-label={name}>
      {questions.map(({ text, question }) => (
        <li key={question}>
          <button type="button" onClick={() => send(question)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
