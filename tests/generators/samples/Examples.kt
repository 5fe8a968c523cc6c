// Reads each example as its model and prints it again, one a line. `list` holds model and path of each.
import ginrummy.infrastructure.Serializer
import java.io.File
import kotlinx.serialization.serializer

fun main(arguments: Array<String>) {
    // Without this line a client sends null for what is absent, and the service takes no null.
    Serializer.kotlinxSerializationJsonConfiguration = { explicitNulls = false }
    val json = Serializer.kotlinxSerializationJson
    for (line in File(arguments[0]).readLines()) {
        val (model, path) = line.split("\t")
        val kind = serializer(Class.forName("ginrummy.models.$model"))
        println(json.encodeToString(kind, json.decodeFromString(kind, File(path).readText())))
    }
}
