/** What is said when the documentation does not answer, in the languages of the interface. */
const sentences: Record<string, string> = {
  en: "I could not find an answer to this in the documentation.",
  ar: "لم أجد إجابة عن هذا السؤال في الوثائق.",
  de: "In der Dokumentation habe ich darauf keine Antwort gefunden.",
  es: "No he encontrado una respuesta a esto en la documentación.",
  fr: "Je n’ai pas trouvé de réponse à cette question dans la documentation.",
  he: "לא מצאתי תשובה לשאלה הזו בתיעוד.",
  id: "Saya tidak menemukan jawabannya di dokumentasi.",
  it: "Non ho trovato una risposta a questa domanda nella documentazione.",
  ja: "ドキュメントの中に、この質問への答えは見つかりませんでした。",
  ko: "문서에서 이 질문에 대한 답을 찾지 못했습니다.",
  nl: "Ik heb hierop geen antwoord gevonden in de documentatie.",
  pl: "Nie znaleziono odpowiedzi na to pytanie w dokumentacji.",
  pt: "Não encontrei uma resposta para isso na documentação.",
  ru: "В документации не нашлось ответа на этот вопрос.",
  tr: "Belgelerde bu sorunun yanıtını bulamadım.",
  uk: "У документації не знайшлося відповіді на це запитання.",
  vi: "Tôi không tìm thấy câu trả lời cho câu hỏi này trong tài liệu.",
  zh: "文档中没有找到这个问题的答案。",
  "zh-hant": "文件中找不到這個問題的答案。",
};

/** Codes that say the same otherwise, as in the words of the interface. */
const aliases: Record<string, string> = { cn: "zh", jp: "ja", "zh-tw": "zh-hant", "zh-hk": "zh-hant" };

/** By the exact code, else by its first part, else in English. */
export function notCovered(language: string): string {
  const code = language.toLowerCase();
  for (const name of [aliases[code] ?? code, code.split("-")[0]!]) if (Object.hasOwn(sentences, name)) return sentences[name]!;
  return sentences.en!;
}
