export const LeafCounter = ({ start = 3 }) => {
  const [folds, setFolds] = useState(start);
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border p-4">
      <button type="button" className="rounded border px-3 py-1" onClick={() => setFolds(Math.max(0, folds - 1))}>
        Unfold
      </button>
      <button type="button" className="rounded border px-3 py-1" onClick={() => setFolds(Math.min(6, folds + 1))}>
        Fold
      </button>
      <span aria-live="polite">
        {folds} folds, {2 ** folds} leaves
      </span>
    </div>
  );
};
